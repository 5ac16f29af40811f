//! Reports: each reads the events of a run and writes them for one kind of reader. None decides anything.
//!
//! * [`terminal`]: the developer who asks which question broke, in which layer, and what to try;
//! * [`junit`]: the CI server;
//! * [`html`]: the reviewer who looks at every question, in a browser;
//! * [`markdown`]: the reviewer, in a step summary or a comment;
//! * [`github`]: annotations and outputs of a step on GitHub; [`sarif`]: code scanning;
//! * [`results`]: programs, and the commands that read a run again;
//! * [`explain`]: the page of a finding code;
//! * [`labels`]: how often the rules err by people's labels;
//! * [`xlsx`]: the sheet given back.
//!
//! What they share: [`clean`] (answers are hostile text), [`cut`] (never at a byte), [`words`] (was → now), [`story`]
//! (what is told about a question).

pub mod brief;
pub mod causes;
pub mod clean;
pub mod compare;
pub mod cut;
pub mod diff;
pub mod evidence;
pub mod explain;
mod figures;
pub mod file;
pub mod gather;
pub mod github;
pub mod html;
pub mod junit;
pub mod known;
pub mod labels;
pub mod markdown;
pub mod measure;
mod order;
pub mod power;
pub mod results;
pub mod sample;
pub mod sarif;
pub mod stopped;
pub mod story;
pub mod terminal;
pub mod trend;
pub mod wanted;
pub mod words;
pub mod xlsx;
