import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './environment.mjs'
import { attackTests, faultTests, filesOf, requireTests } from './test-files.mjs'

const page = readFileSync(path.join(root, 'docs/reliability.md'), 'utf8')
/** The test files that a section of docs/reliability.md names, without the browser tests, which only `npm test` runs. */
const testsIn = (section: string) =>
  [...(page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(
    ([, file = '']) => file,
  )

describe('the test files', () => {
  it('every name in the list of attack tests matches a test file', () => {
    requireTests('unit', attackTests.unit)
    requireTests('db', attackTests.db)
  })

  it('`npm run test:attack` runs each test in the table of attacks, and the tests of changed webhook endpoints', () => {
    const listed = testsIn('Attacks')
    expect(listed.length).toBeGreaterThan(5)
    const files = [...listed, 'lib/modules/webhooks/endpoint-changes.db.test.ts']
    const names = [...attackTests.unit, ...attackTests.db]
    expect(files.filter((file) => !names.some((name) => file.includes(name)))).toEqual([])
  })

  it('`npm run test:faults` runs more than eight files, and all are database tests', () => {
    expect(faultTests.length).toBeGreaterThan(8)
    requireTests('db', faultTests)
  })

  it('a name that matches no test file is refused, even if another name matches', () => {
    expect(() => requireTests('unit', ['lib/kernel/money.test.ts', 'lib/kernel/mony'])).toThrow(
      'No test file of the part "unit" has the name lib/kernel/mony.',
    )
    expect(() => requireTests('db', ['lib/kernel/money.test.ts'])).toThrow('No test file of the part "db"')
  })

  it('a test file may be named by a part of its path, by its full path, or by a path with a line number', () => {
    const [file = ''] = filesOf('unit')
    requireTests('unit', [path.dirname(file), path.join(root, file), `./${file}`, `${file}:12`])
  })
})
