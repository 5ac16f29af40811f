//! The sheet on which people judge a sample of a run. What the rules or the judge said does not stand there: it would be
//! copied.

use super::causes::inert;
use super::xlsx;
use rust_xlsxwriter::XlsxError;

/// A row: an answer and one layer of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// The suite.
    pub suite: String,
    /// The question's id.
    pub id: String,
    /// The layer that is judged.
    pub layer: String,
    /// What was asked.
    pub question: String,
    /// The model answer.
    pub reference: String,
    /// What was answered.
    pub answer: String,
    /// The passages that were in the prompt.
    pub passages: String,
    /// For how many verdicts of the run it stands.
    pub weight: f64,
    /// The digest of the answer, by which the label finds it again.
    pub digest: String,
}

/// The columns with their widths in characters; people fill in `verdict`, `because` and `by`.
const COLUMNS: [(&str, f64); 12] = [
    ("suite", 14.0),
    ("id", 16.0),
    ("layer", 12.0),
    ("question", 40.0),
    ("reference", 40.0),
    ("answer", 60.0),
    ("passages", 80.0),
    ("verdict", 10.0),
    ("because", 40.0),
    ("by", 10.0),
    ("weight", 8.0),
    ("digest", 18.0),
];

impl Row {
    fn cells(&self) -> [String; 12] {
        let own = [&self.suite, &self.id, &self.layer, &self.question, &self.reference, &self.answer, &self.passages];
        let [suite, id, layer, question, reference, answer, passages] = own.map(Clone::clone);
        let blank = String::new;
        let weight = format!("{:.3}", self.weight);
        let digest = self.digest.clone();
        [suite, id, layer, question, reference, answer, passages, blank(), blank(), blank(), weight, digest]
    }
}

/// As CSV with a byte-order mark; a text that a spreadsheet would work out (`=…`) gets an apostrophe in front.
///
/// # Errors
/// What the writer reports; writing into memory does not fail.
pub fn csv(rows: &[Row]) -> ::csv::Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().from_writer(vec![0xEF, 0xBB, 0xBF]);
    writer.write_record(COLUMNS.map(|c| c.0))?;
    for row in rows {
        writer.write_record(row.cells().map(|c| inert(&c)))?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}

/// As the bytes of an `.xlsx` file.
///
/// # Errors
/// More rows than a sheet has, or what the crate reports.
pub fn workbook(rows: &[Row]) -> Result<Vec<u8>, XlsxError> {
    let cells: Vec<Vec<String>> = rows.iter().map(|r| r.cells().to_vec()).collect();
    xlsx::plain("sample", &COLUMNS, &cells)
}
