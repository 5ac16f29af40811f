//! Figures and tables as comparisons print them.

use super::cut;

/// Three digits behind the point, without the zero in front.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix("0.") {
        Some(digits) => format!(".{digits}"),
        None => text.strip_prefix("-0.").map(|digits| format!("-.{digits}")).unwrap_or(text),
    }
}

/// The same with its sign; what rounds to nothing has none.
pub(super) fn signed(value: f64) -> String {
    let text = short(value);
    match text.as_str() {
        "-.000" => ".000".to_owned(),
        ".000" => text,
        _ if value > 0.0 => format!("+{text}"),
        _ => text,
    }
}

/// A p-value; what is smaller than a thousandth is no figure any more.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { short(p) }
}

/// A share in points of a hundred: `3.4 points`. Rounded up, so that what is below it is really below.
pub(super) fn points(share: f64) -> String {
    format!("{:.1} points", (share * 1000.0 - 1e-6).ceil() / 10.0)
}

/// Columns as wide as their widest cell on a terminal, the first to the left; where a row would be wider than `width`, each row
/// becomes a block: its first cell, then a line for each other cell with the head of its column. The first row is the head. A
/// column without any entry is left out.
pub(super) fn lay_out(table: &[Vec<String>], width: usize) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let blank = |c: usize| table.iter().skip(1).all(|r| r.get(c).is_none_or(|t| t.is_empty() || t == "–"));
    let kept: Vec<usize> = (0..columns).filter(|c| *c == 0 || !blank(*c)).collect();
    let wide = |c: usize| table.iter().filter_map(|r| r.get(c)).map(|t| cut::columns(t)).max().unwrap_or(0);
    let cell = |row: &'_ Vec<String>, c: usize| row.get(c).cloned().unwrap_or_default();
    let mut out = String::new();
    if kept.iter().map(|c| wide(*c) + 2).sum::<usize>() > width {
        let heads = table.first().cloned().unwrap_or_default();
        let label = kept.iter().skip(1).map(|c| cut::columns(&cell(&heads, *c))).max().unwrap_or(0);
        for row in table.iter().skip(1) {
            let name = cell(row, 0);
            if !name.is_empty() {
                out.push_str(&format!("  {name}\n"));
            }
            for c in kept.iter().skip(1).filter(|c| !cell(row, **c).is_empty()) {
                let (head, text) = (cell(&heads, *c), cell(row, *c));
                if 6 + label + cut::columns(&text) > width {
                    out.push_str(&format!("    {head}\n      {text}\n"));
                } else {
                    out.push_str(&format!("    {}  {text}\n", cut::pad(&head, label)));
                }
            }
        }
        return out;
    }
    for row in table {
        let mut line = String::from("  ");
        for c in &kept {
            line.push_str(&cut::pad(&cell(row, *c), wide(*c) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A paragraph, wrapped to the width of a terminal.
pub(super) fn paragraph(text: &str, width: usize) -> String {
    cut::wrap(text, width, usize::MAX).iter().map(|line| format!("{line}\n")).collect()
}

/// The first of some ids, and how many more there are.
pub(super) fn listed(ids: &[String], shown: usize) -> String {
    let named: Vec<_> = ids.iter().take(shown).map(|id| super::clean::terminal(id).into_owned()).collect();
    match ids.len().saturating_sub(shown) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!([0.0, 0.12345, 1.0, -0.5].map(short), [".000", ".123", "1.000", "-.500"]);
        assert_eq!([0.0, 0.0171, -0.00001, -0.25].map(signed), [".000", "+.017", ".000", "-.250"]);
        assert_eq!([0.0004, 0.031, 1.0].map(p_value), ["<.001", ".031", "1.000"]);
        assert_eq!([0.09, 0.0901, 0.0344].map(points), ["9.0 points", "9.1 points", "3.5 points"]);
    }

    #[test]
    fn columns_align_whatever_the_script() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let table = [row(["", "度量", "–"]), row(["退货", "1", "–"]), row(["น้ำ", "22", "–"])];
        assert_eq!(lay_out(&table, 40), "        度量\n  退货  1\n  น้ำ    22\n");
        assert_eq!(lay_out(&table, 8), "  退货\n    度量  1\n  น้ำ\n    度量  22\n");
    }
}
