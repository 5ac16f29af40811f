"""A row per reader, a column per state: what each makes of the cases of usual.xml and of the ways to show known failures."""
import contextlib
import importlib.metadata as meta
import io
import json
import os
import subprocess
import sys
import xml.dom.minidom
import xml.parsers.expat
import xml.sax

readers, scripts = sys.argv[1], sys.argv[2]
STATES = ["passed", "failed", "known", "unmeasured", "flaky", "max_regressed", "stale"]
FILES = ["usual.xml", "strict.xml", "pass.xml", "failure.xml", "timed.xml", "hostile.xml"]


def junitparser(path):
    from junitparser import JUnitXml, Failure, Error, Skipped
    out = {}
    for suite in JUnitXml.fromfile(path):
        for case in suite:
            kinds = {Failure: "failure", Error: "error", Skipped: "skipped"}
            out[case.name] = next((kinds[type(r)] for r in case.result if type(r) in kinds), "passed")
    return out


def xunitparser(path):
    import xunitparser as x
    with open(path, encoding="utf-8") as f:
        suite, _ = x.parse(f)
    return {c.methodname: {"success": "passed"}.get(c.result, c.result) for s in suite for c in s} \
        if any(hasattr(s, "__iter__") for s in suite) \
        else {c.methodname: {"success": "passed"}.get(c.result, c.result) for c in suite}


def junit2html(path):
    from junit2htmlreport.parser import Junit
    return {c.name: c.outcome() for s in Junit(path).suites for cl in s.classes.values() for c in cl.cases}


def trcli(path):
    import argparse
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        from trcli.readers.junit_xml import JunitParser
        env = argparse.Namespace(file=os.path.abspath(path), case_matcher="auto", special_parser=None, suite_name=None,
                                 log=print, vlog=print, elog=print, params_from_config={}, allow_ms=False,
                                 case_fields={}, result_fields={}, test_run_ref=None, global_config={})
        env.__dict__.setdefault("parallel_pagination", False)
        suites = JunitParser(env).parse_file()
    names = {1: "passed", 4: "skipped", 5: "failure"}
    return {c.title: names.get(c.result.status_id, str(c.result.status_id))
            for s in suites for section in s.testsections for c in section.testcases}


def gitlab(path):
    """The rules of lib/gitlab/ci/parsers/test/junit.rb: the first of failure, error, skipped."""
    root = xml.dom.minidom.parse(path)
    out = {}
    for case in root.getElementsByTagName("testcase"):
        tags = [c.tagName for c in case.childNodes if c.nodeType == c.ELEMENT_NODE]
        out[case.getAttribute("name")] = next((t for t in ["failure", "error", "skipped"] if t in tags), "passed")
    return out


def of_node(name):
    def read(path):
        done = subprocess.run(["node", os.path.join(scripts, "read.mjs"), name, os.path.abspath(path)],
                              cwd=os.path.join(readers, "js"), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no output")
        return json.loads(done.stdout)
    return read


ALIKE = {"failed": "failure", "succeeded": "passed", "success": "passed"}

READERS = [("junitparser (EnricoMi's action)", junitparser), ("xunitparser", xunitparser), ("junit2html", junit2html),
           ("trcli (TestRail)", trcli), ("junit2json", of_node("junit2json")),
           ("test-results-parser", of_node("test-results-parser")),
           ("junitxml-to-javascript", of_node("junitxml-to-javascript")), ("junit-to-ctrf", of_node("junit-to-ctrf")),
           ("GitLab, by its source", gitlab)]

bad = 0
columns = STATES + ["known, pass", "known, failure", "strict", "timed", "hostile"]
print("| reader | " + " | ".join(columns) + " |")
print("| --- " * (len(columns) + 1) + "|")
for name, read in READERS:
    try:
        usual = read("usual.xml")
        cells = [usual.get(s, "absent") for s in STATES]
        cells += [read("pass.xml").get("known", "absent"), read("failure.xml").get("known", "absent")]
        cells = [ALIKE.get(c, c) for c in cells]
        # What a green reader must never make of a red state, and a red one of a green.
        bad += cells[0] != "passed" or cells[1] != "failure" or cells[3] not in ("failure", "error") or cells[5] != "failure"
        cells += ["the same" if read(f) == usual else "differs" for f in ["strict.xml", "timed.xml"]]
        cells.append(f"{len(read('hostile.xml'))} cases")
    except Exception as e:  # a reader that does not read is a finding, and is printed
        cells, bad = [f"cannot read: {type(e).__name__} {e}"], bad + 1
    print(f"| {name} | " + " | ".join(map(str, cells)) + " |")


class Count(xml.sax.ContentHandler):
    n = 0

    def startElement(self, name, attributes):
        Count.n += name == "testcase"


print()
for path in FILES:
    Count.n = 0
    xml.sax.parse(path, Count())
    expat = xml.parsers.expat.ParserCreate()
    with open(path, "rb") as f:
        expat.ParseFile(f)
    from lxml import etree
    lx = len(etree.parse(path).findall(".//testcase"))
    dom = len(xml.dom.minidom.parse(path).getElementsByTagName("testcase"))
    done = subprocess.run(["node", os.path.join(scripts, "parse.mjs"), os.path.abspath(path)],
                          cwd=os.path.join(readers, "js"), capture_output=True, text=True, check=True)
    of_npm = json.loads(done.stdout)
    ok = {Count.n, lx, *of_npm.values()} == {dom} and dom > 0
    bad += not ok
    more = ", ".join(f"{n} by {name}" for name, n in of_npm.items())
    print(f"{path}: {dom} cases by minidom, {Count.n} by SAX (expat), {lx} by lxml (libxml2), {more}")
print("versions:", ", ".join(f"{p} {meta.version(p)}" for p in ["junitparser", "xunitparser", "junit2html", "trcli"]))
sys.exit(1 if bad else 0)
