// Prints how many cases two XML parsers of npm find in a file: node parse.mjs FILE, in the folder of node_modules.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const require = createRequire(process.cwd() + '/')
const text = readFileSync(process.argv[2], 'utf8')
const { XMLParser } = require('fast-xml-parser')
const list = value => [].concat(value ?? [])
const root = new XMLParser({ ignoreAttributes: false }).parse(text)
const fast = list(root.testsuites.testsuite).flatMap(suite => list(suite.testcase)).length
const sax = require('sax').parser(true)
let found = 0
sax.onopentag = tag => { found += tag.name === 'testcase' }
sax.onerror = error => { throw error }
sax.write(text).close()
process.stdout.write(JSON.stringify({ 'fast-xml-parser': fast, 'sax-js': found }))
