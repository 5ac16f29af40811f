//! Runs built by hand for the tests of the reports.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "each test file uses a part of it"
)]

use ragline::core::event::{BaselineState, Event, LayerReport, QuestionReport, Reporter, RunHeader, SuiteHeader};
use ragline::core::state::{Change, Verdict};
use ragline::diagnose::{Diagnosis, EvidenceFacts};
use ragline::gate::{Decision, Exit, LayerSummary, Mean, RuleOutcome, RuleVerdict, SuiteSummary};
use ragline::layer::retrieval::{MetricName, RetrievalDetail};
use ragline::layer::{Code, Detail, Finding, LayerId, LayerMap, LayerResult, Outcome, Skip};
use ragline::problem::Place;
use ragline::suite::{Expect, QuestionId, Severity};

/// A run: header, questions, decision.
#[derive(Clone)]
pub struct Run {
    pub header: RunHeader,
    pub questions: Vec<QuestionReport>,
    pub decision: Decision,
}

impl Run {
    /// Plays the run to a reporter.
    pub fn play(&self, to: &mut impl Reporter) {
        to.event(Event::Started(&self.header)).unwrap();
        self.questions.iter().for_each(|q| to.event(Event::Question(q)).unwrap());
        to.event(Event::Decided(&self.decision)).unwrap();
    }

    pub fn terminal(&self, width: usize) -> String {
        let look = ragline::report::terminal::Look { width, colour: false };
        let mut t = ragline::report::terminal::Terminal::new(Vec::new(), look);
        self.play(&mut t);
        String::from_utf8(t.into_inner()).unwrap()
    }

    pub fn junit(&self) -> String {
        let mut j = ragline::report::junit::Junit::new();
        self.play(&mut j);
        j.text().unwrap()
    }

    pub fn markdown(&self) -> String {
        let mut m = ragline::report::markdown::Markdown::new();
        self.play(&mut m);
        m.text()
    }

    pub fn results(&self) -> String {
        let mut r = ragline::report::results::Results::new();
        self.play(&mut r);
        r.text().to_owned()
    }
}

/// A run of one suite that is as accepted: the tally follows from the questions, the gate is open.
pub fn run(suite: &str, questions: Vec<QuestionReport>) -> Run {
    let header = RunHeader { id: "r1".into(), suites: vec![header(suite, questions.len())], ..RunHeader::default() };
    let mut run = Run { header, questions, decision: decision(Exit::Open) };
    tally(&mut run);
    run.decision.suites = vec![SuiteSummary {
        suite: suite.into(),
        layers: summaries(),
        checked_layers: 5,
        refusals: None,
        blind: None,
        unchecked: Vec::new(),
    }];
    run
}

pub fn header(suite: &str, questions: usize) -> SuiteHeader {
    SuiteHeader {
        name: suite.into(),
        shown: format!("suites/{suite}.yaml").into(),
        questions,
        selected: questions,
        target: "builtin".into(),
        subject: Some("a41c9e0".into()),
        baseline: BaselineState::Present(format!("suites/{suite}.baseline.toml")),
    }
}

pub fn tally(run: &mut Run) {
    let of = |c| (c, run.questions.iter().filter(|q| q.change == c).count());
    run.decision.tally = Change::ALL.into_iter().map(of).filter(|(_, n)| *n > 0).collect();
}

pub fn decision(exit: Exit) -> Decision {
    Decision {
        exit,
        exit_if_blocking: exit,
        advisory: false,
        rules: Vec::new(),
        tally: Vec::new(),
        suites: Vec::new(),
        next: Vec::new(),
        notices: Vec::new(),
        by_chance: None,
    }
}

pub fn rule(name: &str, verdict: RuleVerdict, message: &str, line: u32) -> RuleOutcome {
    let place = (line > 0).then(|| Place { file: "thresholds.toml".into(), line, column: 1 });
    RuleOutcome { name: name.into(), place, verdict, message: message.into() }
}

/// A question that passes as before.
pub fn question(suite: &str, id: &str, text: &str) -> QuestionReport {
    let pass = || LayerReport {
        result: LayerResult::plain(Outcome::Pass),
        was: Some(Outcome::Pass),
        change: Change::Unchanged,
        warn: false,
    };
    QuestionReport {
        suite: suite.into(),
        id: QuestionId::new(id).unwrap(),
        place: Place { file: format!("suites/{suite}.yaml").into(), line: 118, column: 5 },
        question: text.into(),
        expect: Expect::Answer,
        expects: "0123456789abcdef".into(),
        severity: Severity::Normal,
        tags: Vec::new(),
        group: None,
        owner: None,
        outcome: Outcome::Pass,
        change: Change::Unchanged,
        verdict: Verdict::Passed,
        change_note: None,
        layers: LayerMap::from_fn(|_| pass()),
        evidence: EvidenceFacts { run_ok: true, in_corpus: Some(true), ..EvidenceFacts::default() },
        diagnosis: None,
        answer: None,
        was_answer: None,
        same_contexts: None,
        repeats: None,
        shown_repeat: 0,
        known_reason: None,
        quarantined: None,
    }
}

/// Changes of a question, one after the other.
pub trait Story: Sized {
    /// A layer fails that passed.
    fn broken(self, layer: LayerId, code: Code, message: &str, span: Option<(usize, usize)>) -> Self;
    fn was_now(self, was: &str, now: &str) -> Self;
    fn state(self, change: Change, verdict: Verdict) -> Self;
    fn skipped(self, layer: LayerId) -> Self;
    fn at(self, line: u32) -> Self;
    fn blame(self, layer: &'static str, next: &'static str, same: bool) -> Self;
    fn unmeasured(self, code: Code, message: &str) -> Self;
}

impl Story for QuestionReport {
    fn broken(mut self, layer: LayerId, code: Code, message: &str, span: Option<(usize, usize)>) -> Self {
        let mut finding = Finding::fault(code, message);
        finding.span = span;
        let l = &mut self.layers[layer];
        l.result.outcome = Outcome::Fail;
        l.result.findings.push(finding);
        l.change = Change::Regressed;
        self.outcome = Outcome::Fail;
        self.state(Change::Regressed, Verdict::Failed)
    }
    fn was_now(mut self, was: &str, now: &str) -> Self {
        self.was_answer = Some(was.into());
        self.answer = Some(now.into());
        self
    }
    fn state(mut self, change: Change, verdict: Verdict) -> Self {
        let worst = [Change::Regressed, Change::Expired, Change::NewFail, Change::StillFailing, Change::Fixed];
        for l in &mut self.layers.0 {
            if worst.contains(&l.change) && worst.contains(&change) {
                l.change = change;
                match change {
                    Change::NewFail => l.was = None,
                    Change::Expired | Change::StillFailing | Change::Fixed => l.was = Some(Outcome::Fail),
                    _ => {}
                }
            }
        }
        self.change = change;
        self.verdict = verdict;
        self
    }
    fn skipped(mut self, layer: LayerId) -> Self {
        self.layers[layer].result = LayerResult::skipped(Skip::NotApplicable);
        self
    }
    fn at(mut self, line: u32) -> Self {
        self.place.line = line;
        self
    }
    fn blame(mut self, layer: &'static str, next: &'static str, same: bool) -> Self {
        self.diagnosis = Some(Diagnosis { row: 11, layer, next, note: None });
        self.same_contexts = Some(same);
        self
    }
    fn unmeasured(mut self, code: Code, message: &str) -> Self {
        for l in &mut self.layers.0 {
            l.result = LayerResult::unmeasured(Finding::fault(code, message));
            l.change = Change::Unmeasured;
        }
        self.outcome = Outcome::Unmeasured;
        self.state(Change::Unmeasured, Verdict::Incomplete)
    }
}

pub fn summaries() -> Vec<LayerSummary> {
    let row = |layer, pass, fail, was, interval| LayerSummary {
        layer,
        pass,
        fail,
        unmeasured: 0,
        not_applicable: 0,
        off: 0,
        not_observed: 0,
        was_pass: Some(was),
        interval: Some(interval),
        random: None,
        means: Vec::new(),
    };
    let mut all = vec![
        row(LayerId::Retrieval, 48, 3, 49, (0.841, 0.980)),
        row(LayerId::Facts, 45, 6, 46, (0.766, 0.944)),
        row(LayerId::Refusal, 57, 2, 58, (0.884, 0.991)),
        row(LayerId::Numbers, 39, 1, 40, (0.871, 0.9957)),
        row(LayerId::Citation, 46, 0, 44, (0.923, 1.0)),
    ];
    let mean = |name: &str, value, random| Mean { name: name.into(), value, n: 51, interval: None, random };
    all[0].random = Some(0.0588);
    all[0].means = vec![
        mean("hit@3", 0.94, Some(0.0588)),
        mean("rr", 0.81, Some(0.0886)),
        mean("ndcg@10", 0.849, Some(0.0418)),
        mean("lonely", 0.5, None),
    ];
    all[0].means[0].interval = Some((0.84, 0.98));
    all[0].not_applicable = 9;
    all[3].unmeasured = 1;
    all[4].not_applicable = 13;
    all
}

/// A closed run with one question of most kinds.
pub fn red() -> Run {
    let s = "shop-vi";
    let mut q14 = question(s, "q14", "Tôi được đổi trả hàng trong bao lâu?")
        .broken(LayerId::Facts, Code::FactMissing, "does not state \"7 ngày\"", None)
        .broken(
            LayerId::Numbers,
            Code::NumberUngrounded,
            "\"17 ngày\" stands in none of the 5 passages in the prompt; passage 1 says \"7 ngày\"",
            Some((29, 36)),
        )
        .was_now(
            "Quý khách được đổi trả trong 7 ngày kể từ ngày nhận hàng. [1]",
            "Quý khách được đổi trả trong 17 ngày kể từ ngày nhận hàng. [1]",
        )
        .blame("generation", "freeze the passages, look at the prompt or the model", true);
    q14.severity = Severity::Critical;
    q14.tags = vec!["warranty".into(), "exception".into()];
    let q22 = question(s, "q22", "Phí vận chuyển đến Cần Giờ là bao nhiêu?")
        .broken(
            LayerId::Retrieval,
            Code::EvidenceNotRetrieved,
            "van-chuyen.md › Phí ngoại thành was at rank 2, now not among the 5 passages",
            None,
        )
        .broken(LayerId::Facts, Code::FactMissing, "does not state \"35.000 đồng\"", None)
        .broken(LayerId::Refusal, Code::FalseRefusal, "refuses although an answer was expected", None)
        .skipped(LayerId::Numbers)
        .skipped(LayerId::Citation)
        .was_now(
            "Phí giao hàng đến Cần Giờ là 35.000 đồng. [2]",
            "Xin lỗi, tôi không tìm thấy thông tin về phí vận chuyển đến Cần Giờ.",
        )
        .at(201)
        .blame("retrieval", "look at chunking, filters and top_k; the refusal is right for what it was given", false);
    let q09 = question(s, "q09", "Cửa hàng mở cửa lúc mấy giờ?")
        .unmeasured(Code::ResponseError, "504 from staging, 3 tries")
        .at(80);
    let mut q15 = question(s, "q15", "Có xuất hóa đơn không?");
    q15.layers[LayerId::Facts].change = Change::Fixed;
    let q15 = q15.state(Change::Fixed, Verdict::Passed);
    let mut q05 = question(s, "q05", "Máy bị vào nước thì sao?");
    q05.known_reason = Some("index rebuild, #412".into());
    let q05 = q05.state(Change::StillFailing, Verdict::Skipped("known failure: index rebuild, #412".into()));
    let mut questions = vec![q14, q22, q09, q15, q05];
    questions.extend((30..55).map(|i| question(s, &format!("q{i}"), "Giá bao nhiêu?")));
    let mut r = run(s, questions);
    r.header.repeat_args = "--answers recordings/new.jsonl".into();
    r.decision.exit = Exit::Closed;
    r.decision.exit_if_blocking = Exit::Closed;
    r.decision.rules = vec![
        rule("critical", RuleVerdict::Broken(Exit::Closed), "critical question regressed: q14", 7),
        rule("max_regressed", RuleVerdict::Broken(Exit::Closed), "2 regressed, at most 0", 4),
        rule("max_unmeasured", RuleVerdict::Broken(Exit::Incomplete), "1 unmeasured, at most 0", 5),
        rule("stale", RuleVerdict::Holds, "no confirmed fix is waiting", 0),
        rule("shop-vi.retrieval.hit@3", RuleVerdict::NotEvaluated, "no interval with 4 questions", 12),
    ];
    r.decision.suites[0].blind =
        Some("30 questions cannot show that a layer fell by less than about 13 points.".into());
    r
}

/// A question with metrics and numbers, for the results.
pub fn with_metrics(mut q: QuestionReport) -> QuestionReport {
    q.layers[LayerId::Retrieval].result.detail = Detail::Retrieval(Box::new(RetrievalDetail {
        heading_unsure: false,
        chance: None,
        metrics: vec![
            (MetricName::at("hit", 3), 1.0),
            (MetricName::whole("rr"), 1.0 / 3.0),
            (MetricName::whole("ap"), f64::NAN),
        ],
        random: vec![(MetricName::at("hit", 3), 0.058_823_529)],
        rank: Some(3),
        in_top_k: true,
        in_prompt: true,
        complete: true,
        in_corpus: Some(true),
        holders: vec![2],
    }));
    q
}
