//! ragline.toml: what is wrong with a target that is asked anew is said with its line and a caret, before anybody is asked.

use crate::{ONE, RUN, project, refused};
use ragline::suite::config::preset;

/// Where the caret must stand.
const HERE: char = '«';

/// A file with a mark where the error must be shown: the file, and its place.
fn marked(text: &str) -> (String, String) {
    let before = text.split(HERE).next().unwrap();
    assert_ne!(before.len(), text.len(), "no mark in\n{text}");
    let line = before.matches('\n').count() + 1;
    let column = before.lines().last().filter(|_| !before.ends_with('\n')).map_or(1, |l| l.chars().count() + 1);
    (text.replace(HERE, ""), format!("ragline.toml:{line}:{column}"))
}

/// Each file is refused at its mark, with these words, and its line is shown with a caret.
#[track_caller]
fn all_refused(head: &str, cases: &[(&str, &str, &str)]) {
    for (code, text, words) in cases {
        let (file, place) = marked(&format!("version = 1\n[targets.bot]\n{head}{text}\n"));
        let folder = project(ONE, "");
        folder.write("ragline.toml", file.as_bytes());
        let ran = refused(&folder, &RUN);
        let shown = ran.err.clone();
        for word in words.split('|').chain([format!("error[{code}]").as_str(), format!("--> {place}\n").as_str(), "^"])
        {
            assert!(shown.contains(word), "{word:?} is not said of\n{file}\n{shown}");
        }
        assert_eq!(shown.matches("error[").count(), 1, "{file}\n{shown}");
    }
}

const HTTP: &str = "kind = \"http\"\nurl = \"http://127.0.0.1:1/chat\"\n";
const COMMAND: &str = "kind = \"command\"\ncommand = [\"python3\", \"bot.py\"]\n";

#[test]
fn addresses() {
    all_refused(
        "kind = \"http\"\n",
        &[
            ("address", "url = «\"127.0.0.1:8000/chat\"", "did you mean `http://127.0.0.1:8000/chat`?"),
            ("address", "url = «\"localhost/chat\"", "did you mean `http://localhost/chat`?"),
            ("address", "url = «\"http:/localhost/chat\"", "did you mean `http://localhost/chat`?"),
            ("address", "url = «\"htttp://a/chat\"", "begins with `htttp://`|did you mean `http://a/chat`?"),
            ("address", "url = «\"ftp://a/chat\"", "begins with `ftp://`, expected http:// or https://"),
            ("address", "url = «\"https:///chat\"", "names no host"),
            ("address", "url = «\"http://a/chat?q={{ question }} now\"", "holds a blank"),
            ("address", "url = «\"http://a/\\nchat\"", "holds a line break"),
            ("address", "url = «\"http://a/\\u0007\"", "U+0007"),
            ("empty-text", "url = «\" \"", "`url` is empty"),
            ("expected-text", "url = «8000", "`url` is no text"),
            ("env-form", "url = «\"http://${HOST/chat\"", "`${` is not closed"),
            ("env-form", "url = «\"http://${a-b}/chat\"", "`a-b` is no name of an environment variable"),
        ],
    );
    all_refused(
        HTTP,
        &[
            ("address", "ready = «\"/health\"", "expected an address with http:// or https://"),
            ("address", "proxy = «\"socks5://127.0.0.1:1080\"", "begins with `socks5://`"),
        ],
    );
}

#[test]
fn headers_and_methods() {
    all_refused(
        HTTP,
        &[
            ("header", "headers = { «\"X Key\" = \"a\" }", "`X Key` is no name of a header"),
            ("header", "headers = { «\"\" = \"a\" }", "is no name of a header"),
            ("header", "headers = { «\"Khóa\" = \"a\" }", "`Khóa` is no name of a header"),
            ("header", "headers = { Accept = «\"a\\r\\nX-Evil: b\" }", "holds a line break"),
            ("header", "headers = { Accept = \"a\", «accept = \"b\" }", "`Accept` and `accept` are one header"),
            ("empty-text", "headers = { Accept = «\"\" }", "`Accept` is empty"),
            ("expected-text", "headers = { Accept = «1 }", "`Accept` is no text"),
            ("expected-map", "headers = «[\"Accept: a\"]", "`headers` is a list"),
            ("expected-map", "query = «\"a=b\"", "`query` is a quoted text"),
            ("unknown-value", "method = «\"POTS\"", "did you mean `POST`?"),
            ("method-body", "body = '{}'\nmethod = «\"GET\"", "many servers do not read it"),
        ],
    );
}

#[test]
fn names_of_templates() {
    for head in [HTTP, COMMAND] {
        all_refused(
            head,
            &[
                ("vars-name", "vars = { «question = \"a\" }", "is a name of every template"),
                ("vars-name", "vars = { «\"top-k\" = \"5\" }", "`top-k` is no name for a template"),
                ("vars-name", "vars = { «\"1a\" = \"5\" }", "`1a` is no name for a template"),
                ("env-form", "vars = { key = «\"${KEY}\" }", "is sent as it stands"),
                ("expected-text", "vars = { top_k = «5 }", "`top_k` is no text"),
            ],
        );
    }
}

#[test]
fn times_sizes_rates_and_prices() {
    for head in [HTTP, COMMAND] {
        all_refused(
            head,
            &[
                ("expected-time", "timeout = { attempt = «30 }", "`attempt` is `30`: 30 what?|write \"30s\""),
                ("expected-time", "timeout = { attempt = «\"30\" }", "`attempt` is `30`: 30 what?"),
                ("expected-time", "timeout = { attempt = «\"30sec\" }", "expected a time"),
                ("expected-time", "timeout = { attempt = «\"-30s\" }", "expected a time"),
                ("expected-time", "timeout = { attempt = «\"0s\" }", "expected more than nothing"),
                ("expected-time", "timeout = { run = «\"25h\" }", "expected at most a day"),
                ("expected-time", "timeout = { run = «[1] }", "`run` is `a list`"),
                ("expected-map", "timeout = «\"30s\"", "`timeout` is a quoted text"),
                ("unknown-key", "timeout = { «attemt = \"30s\" }", "did you mean `attempt`?"),
                (
                    "timeout-order",
                    "timeout = { attempt = «\"2m\", question = \"1m\" }",
                    "`attempt` is longer than `question`",
                ),
                ("timeout-order", "timeout = { run = \"10s\", attempt = «\"30s\" }", "`attempt` is longer than `run`"),
                (
                    "timeout-order",
                    "timeout = { idle = «\"60s\", attempt = \"30s\" }",
                    "`idle` is longer than `attempt`",
                ),
                ("expected-time", "ready_within = «60", "60 what?"),
                ("expected-number", "retries = «-1", "expected a whole number from 0 to 100"),
                ("expected-number", "retries = «\"2\"", "expected a whole number"),
                ("expected-rate", "rate = «10", "10 per what?|how many at once is `concurrency`"),
                ("expected-rate", "rate = «\"10/sec\"", "expected a count and a time"),
                ("expected-rate", "rate = «\"0/s\"", "expected a count and a time"),
                ("expected-number", "concurrency = «\"10/s\"", "how many in a time is `rate`"),
                ("expected-number", "concurrency = «0", "expected a whole number from 1 to 1024"),
                ("price-empty", "price = «{ currency = \"VND\" }", "names no amount"),
                ("number-range", "price = { input = «-1 }", "expected 0 or more"),
                ("expected-number", "price = { call = «\"2\" }", "write it without quotes"),
            ],
        );
    }
    all_refused(
        HTTP,
        &[("expected-size", "max_body = «\"8M\"", "write \"8MiB\""), ("expected-size", "max_body = «0", "`0`")],
    );
    all_refused(COMMAND, &[("expected-size", "max_output = «\"17GiB\"", "from 1 byte to 16 GiB")]);
}

#[test]
fn where_the_parts_of_a_response_stand() {
    for head in [HTTP, COMMAND] {
        all_refused(
            head,
            &[
                ("json-path", "response = { answer = «\"answer\" }", "is no JSONPath|a path begins with `$`"),
                ("json-path", "response = { answer = [\"$.a\", «\"$.b[\"] }", "is no JSONPath"),
                ("path-empty", "response = { answer = «[] }", "is an empty list"),
                ("expected-text", "response = { answer = «1 }", "`answer` is no text"),
                ("unknown-key", "response = { «anwser = \"$.a\" }", "did you mean `answer`?"),
                ("unknown-key", "response = { answer = { path = \"$.a\", «strip = \"/\" } }", "unknown key `strip`"),
                ("key-missing", "response = { answer = «{ basename = true } }", "`path` is missing in `answer`"),
                ("regex", "response = { answer = { path = \"$.a\", regex = «\"(\" } }", "is no regular expression"),
                ("key-missing", "response = «{ refused = \"$.r\" }", "neither where the answer stands"),
                (
                    "key-missing",
                    "response = { answer = \"$.a\", «context = { doc = \"$.d\" } }",
                    "`contexts` is missing",
                ),
                (
                    "key-missing",
                    "response = { answer = \"$.a\", «citation = { doc = \"$.d\" } }",
                    "`citations` is missing",
                ),
                (
                    "unknown-key",
                    "response = { answer = \"$.a\", contexts = \"$.c\", context = { doc = \"$.d\", «quote = \"$.q\" } }",
                    "unknown key `quote`",
                ),
                ("unknown-value", "response = { answer = \"$.a\", text_from = «\"corpu\" }", "did you mean `corpus`?"),
                (
                    "event-stream",
                    "response = { answer = { path = \"$.a\", «event = \"x\" } }",
                    "`event` in `answer` names an event of a stream",
                ),
                (
                    "event-part",
                    "response = { answer = \"$.a\", contexts = \"$.c\", context = { doc = { path = \"$.d\", «event = \"x\" } } }",
                    "`event` in `doc` has no effect",
                ),
                ("replace-form", "response = { answer = { path = \"$.a\", replace = «\"x\" } }", "expected pairs"),
                ("replace-form", "response = { answer = { path = \"$.a\", replace = [«[\"x\"]] } }", "expected pairs"),
                (
                    "regex",
                    "response = { answer = { path = \"$.a\", replace = [[«\"(\", \"\"]] } }",
                    "no regular expression",
                ),
                ("delta-stream", "response = { answer = \"$.a\", «delta = \"$.d\" }", "`stream` is not set"),
            ],
        );
    }
    all_refused(
        COMMAND,
        &[
            (
                "response-text",
                "output = \"text\"\n«response = { answer = \"$.a\" }",
                "has no effect where `output` is text",
            ),
            ("unknown-value", "output = «\"txt\"", "did you mean `text`?"),
            ("expected-boolean", "persistent = «\"yes\"", "must be `true` or `false`"),
        ],
    );
}

#[test]
fn programs() {
    all_refused(
        "kind = \"command\"\n",
        &[
            ("command-empty", "command = «[]", "names no program"),
            ("quote-open", "command = «\"python3 'bot.py\"", "a quote in `command` is not closed"),
            ("expected-text", "command = [\"python3\", «8]", "an item of `command` is no text"),
            ("empty-text", "command = «\"\"", "`command` is empty"),
        ],
    );
    all_refused(HTTP, &[("unknown-key", "«command = \"python3\"", "unknown key `command` in an http target")]);
    all_refused(COMMAND, &[("unknown-key", "«url = \"http://a\"", "unknown key `url` in a command target")]);
    all_refused(COMMAND, &[("quote-open", "start = «\"'a\"", "a quote in `start` is not closed")]);
}

#[test]
fn what_is_missing_is_said_of_the_section() {
    for (kind, words) in
        [("http", "`url` is missing in target `bot`"), ("command", "`command` is missing in target `bot`")]
    {
        let folder = project(ONE, "");
        folder.write("ragline.toml", format!("version = 1\n[targets.bot]\nkind = \"{kind}\"\n").as_bytes());
        refused(&folder, &RUN).says(&[words, "--> ragline.toml:2:", "error[key-missing]"]);
    }
}

#[test]
fn presets_say_what_they_need() {
    all_refused(
        HTTP,
        &[
            (
                "unknown-preset",
                "preset = «\"ollamma\"",
                "there is no preset `ollamma`; did you mean `ollama`?|openwebui",
            ),
            ("expected-text", "preset = «1", "`preset` is no text"),
            ("key-missing", "preset = «\"ollama\"", "needs `model` in `vars`: the name of the model|vars = { model"),
            ("method-body", "preset = \"dify\"\nmethod = «\"GET\"", "many servers do not read it"),
        ],
    );
    // A body of one's own needs only what it names.
    let folder = project(ONE, format!("{}{}", crate::HEADER, crate::GOOD));
    let own = "preset = \"openwebui\"\nvars = { model = \"shop\" }\nbody = '{\"model\": {{ model }}, \"messages\": [{\"content\": {{ question }}}]}'\n";
    folder.write("ragline.toml", format!("version = 1\n[targets.bot]\n{HTTP}{own}").as_bytes());
    folder.run(&RUN).exits(0);
    // And an empty text takes a header of the preset's away, with the key that it needs.
    let (with, _) = ragline::suite::config::load(folder.path()).unwrap();
    assert_eq!(with.targets["bot"].variables().len(), 1);
    let without = own.to_owned() + "headers = { authorization = \"\" }\n";
    folder.write("ragline.toml", format!("version = 1\n[targets.bot]\n{HTTP}{without}").as_bytes());
    let (without, _) = ragline::suite::config::load(folder.path()).unwrap();
    assert_eq!(without.targets["bot"].variables(), []);
    // With what they need, all are read.
    for p in preset::all() {
        let vars: Vec<String> = p.needs.keys().map(|k| format!("{k} = \"a\"")).collect();
        let text =
            format!("version = 1\n[targets.bot]\n{HTTP}preset = \"{}\"\nvars = {{ {} }}\n", p.name, vars.join(", "));
        folder.write("ragline.toml", text.as_bytes());
        folder.run(&RUN).exits(0);
    }
}
