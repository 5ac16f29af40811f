// Prints, as JSON, the state of each case as a reader of npm sees it: node read.mjs READER FILE, in the folder of node_modules.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
const [reader, file] = process.argv.slice(2)
const require = createRequire(process.cwd() + '/')
const load = async name => import(pathToFileURL(require.resolve(name)).href).catch(() => require(name))
const out = {}
const readers = {
  async 'junit2json'() {
    const { parse } = await import(pathToFileURL(process.cwd() + '/node_modules/junit2json/dist/esm/index.js').href)
    const root = await parse(readFileSync(file, 'utf8'))
    for (const suite of root.testsuite) for (const c of suite.testcase ?? [])
      out[c.name] = c.failure ? 'failure' : c.error ? 'error' : c.skipped ? 'skipped' : 'passed'
  },
  async 'test-results-parser'() {
    const { parse } = await load('test-results-parser').then(m => m.default ?? m)
    const root = parse({ type: 'junit', files: [file] })
    for (const suite of root.suites) for (const c of suite.cases) out[c.name] = ({ PASS: 'passed', FAIL: 'failure', SKIP: 'skipped', ERROR: 'error' })[c.status] ?? c.status
  },
  async 'junitxml-to-javascript'() {
    const m = await load('junitxml-to-javascript')
    const Parser = m.default ?? m
    const report = await new Parser().parseXMLFile(file)
    for (const suite of report.testsuites) for (const c of suite.testCases) out[c.name] = ({ success: 'passed', failed: 'failure' })[c.result] ?? c.result
  },
  async 'junit-to-ctrf'() {
    const m = await import(pathToFileURL(process.cwd() + '/node_modules/junit-to-ctrf/dist/index.js').href)
    const log = console.log
    console.log = () => {}
    const report = await m.convertJUnitToCTRFReport(file)
    console.log = log
    for (const t of report.results.tests) out[t.name.split(': ').pop()] = ({ failed: 'failure' })[t.status] ?? t.status
  },
}
await readers[reader]()
process.stdout.write(JSON.stringify(out))
