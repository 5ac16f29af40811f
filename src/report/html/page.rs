//! Writing HTML: elements are opened and closed by one function, and every text goes through the cleaner.

use crate::report::clean;

/// An attribute: its name is ours, its value any text.
pub(super) type Attribute<'a> = (&'static str, &'a str);

/// A piece of a page. Markup can only come from this module's functions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Page(String);

impl Page {
    /// An element with what `fill` puts into it.
    pub(super) fn inside(&mut self, tag: &'static str, attributes: &[Attribute<'_>], fill: impl FnOnce(&mut Page)) {
        self.open(tag, attributes);
        fill(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    /// An element that holds a text.
    pub(super) fn leaf(&mut self, tag: &'static str, attributes: &[Attribute<'_>], text: &str) {
        self.inside(tag, attributes, |p| p.text(text));
    }

    /// An element that has no end.
    pub(super) fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            // An attribute that is there or not has no value.
            if !value.is_empty() {
                self.0.push_str("=\"");
                self.0.push_str(&clean::html(value));
                self.0.push('"');
            }
        }
        self.0.push('>');
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) {
        self.0.push_str(&clean::html(text));
    }

    /// A line break in the source, so that the file has lines.
    pub(super) fn line(&mut self) {
        self.0.push('\n');
    }

    /// What was written elsewhere.
    pub(super) fn put(&mut self, page: &Page) {
        self.0.push_str(&page.0);
    }

    /// Our own style or script, which is part of the program.
    pub(super) fn asset(&mut self, tag: &'static str, source: &'static str) {
        self.open(tag, &[]);
        self.0.push_str(source);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    /// Data for the script.
    pub(super) fn data(&mut self, id: &str, json: &str) {
        self.open("script", &[("type", "application/json"), ("id", id)]);
        self.0.push_str(&clean::json_in_html(json));
        self.0.push_str("</script>");
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// True when nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole as the text of a file.
    pub(super) fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_values_are_cleaned() {
        let mut p = Page::default();
        p.inside("p", &[("title", "a\" onclick=\"x"), ("hidden", "")], |p| p.leaf("b", &[], "</b><script>"));
        p.data("d", "{\"a\":\"</script>\"}");
        assert_eq!(
            p.into_text(),
            "<p title=\"a&quot; onclick=&quot;x\" hidden><b>&lt;/b&gt;&lt;script&gt;</b></p>\
             <script type=\"application/json\" id=\"d\">{\"a\":\"\\u003c/script\\u003e\"}</script>"
        );
    }
}
