//! Embeddings: the request, and vectors that belong to their texts.
//!
//! Vectors are placed by their index. Where all come without one their order counts; a missing, doubled or strange index, a
//! dimension that differs, a number that is none, or a zero is a fault of the whole batch: no value comes of a wrong pair.

use serde_json::{Value, json};

/// The body of a request. No text is blank.
pub fn request(model: &str, texts: &[String]) -> Value {
    json!({"model": model, "input": texts, "encoding_format": "float"})
}

/// Reads the vectors of so many texts, in the order of the texts.
///
/// # Errors
/// What is wrong with them, in one line.
pub fn read(body: &Value, count: usize) -> Result<Vec<Vec<f64>>, String> {
    let Some(data) = body.get("data").and_then(Value::as_array) else {
        return Err("no `data` in the reply".to_owned());
    };
    if data.len() != count {
        return Err(format!("{} vectors came for {count} texts", data.len()));
    }
    let indices: Vec<Option<u64>> = data.iter().map(|d| d.get("index").and_then(Value::as_u64)).collect();
    let bare = data.iter().all(|d| d.get("index").is_none_or(Value::is_null));
    let mut placed: Vec<Option<Vec<f64>>> = vec![None; count];
    for (i, (one, index)) in data.iter().zip(indices).enumerate() {
        let at = if bare { Some(i) } else { index.and_then(|n| usize::try_from(n).ok()) };
        let Some(place) = at.and_then(|at| placed.get_mut(at)) else {
            return Err(format!("a vector came for no text: index {}", one.get("index").unwrap_or(&Value::Null)));
        };
        if place.is_some() {
            return Err(format!("two vectors came for text {}", at.unwrap_or_default()));
        }
        *place = Some(vector(one.get("embedding").unwrap_or(&Value::Null))?);
    }
    let vectors: Vec<Vec<f64>> = placed.into_iter().flatten().collect();
    let dimension = vectors.first().map_or(0, Vec::len);
    match vectors.iter().find(|v| v.len() != dimension) {
        Some(other) => Err(format!("vectors of {dimension} and of {} numbers came together", other.len())),
        None => Ok(vectors),
    }
}

fn vector(value: &Value) -> Result<Vec<f64>, String> {
    let numbers = match value {
        Value::Array(numbers) => numbers,
        Value::String(_) => return Err("a vector came in base64, asked for were numbers".to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err("a vector is missing".to_owned());
        }
    };
    let read = |n: &Value| match n {
        // A number that is written longer than any number is comes as the text of its digits.
        Value::String(s) => s.parse().ok(),
        Value::Number(_) => n.as_f64(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let numbers: Option<Vec<f64>> = numbers.iter().map(|n| read(n).filter(|x| x.is_finite())).collect();
    let numbers = numbers.ok_or("a vector holds something that is no number")?;
    if numbers.iter().all(|n| *n == 0.0) {
        return Err("a vector is zero".to_owned());
    }
    Ok(numbers)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(items: &[(Option<i64>, Value)]) -> Result<Vec<Vec<f64>>, String> {
        let one = |(index, vector): &(Option<i64>, Value)| match index {
            Some(i) => json!({"index": i, "embedding": vector}),
            None => json!({"embedding": vector}),
        };
        read(&json!({"data": items.iter().map(one).collect::<Vec<_>>()}), 3)
    }

    /// G08, rows 1 to 9.
    #[test]
    fn vectors_belong_to_their_texts_or_there_are_none() {
        let v = |n: f64| json!([n, 1.0]);
        let right = Ok(vec![vec![0.0, 1.0], vec![1.0, 1.0], vec![2.0, 1.0]]);
        assert_eq!(of(&[(Some(2), v(2.0)), (Some(0), v(0.0)), (Some(1), v(1.0))]), right);
        assert_eq!(of(&[(None, v(0.0)), (None, v(1.0)), (None, v(2.0))]), right);
        for (items, why) in [
            (vec![(Some(0), v(0.0)), (Some(2), v(2.0))], "2 vectors came for 3 texts"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(1), v(1.0))], "two vectors came for text 1"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(5), v(1.0))], "for no text: index 5"),
            (vec![(Some(0), v(0.0)), (None, v(1.0)), (Some(2), v(1.0))], "for no text: index null"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(2), json!([1.0]))], "vectors of 2 and of 1 numbers"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(2), json!([null, 1.0]))], "no number"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(2), json!(["NaN", 1.0]))], "no number"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(2), json!([0.0, 0.0]))], "zero"),
            (vec![(Some(0), v(0.0)), (Some(1), v(1.0)), (Some(2), json!("AACAPw=="))], "base64"),
        ] {
            let got = of(&items).unwrap_err();
            assert!(got.contains(why), "{got} does not say {why}");
        }
        assert!(read(&json!({"error": "x"}), 1).is_err());
    }
}
