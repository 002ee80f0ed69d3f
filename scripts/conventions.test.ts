import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { locales } from '../lib/kernel/locale.ts'
import { chargebackStates } from '../lib/modules/chargebacks/rules/state.ts'
import { checkoutStates } from '../lib/modules/checkouts/rules/state.ts'
import { orderStates } from '../lib/modules/orders/rules/order.ts'
import { paymentStates } from '../lib/modules/payments/rules/state.ts'
import { recoveryStates } from '../lib/modules/recovery/rules/recovery.ts'
import { refundStates } from '../lib/modules/refunds/rules/state.ts'
import { subscriptionStates } from '../lib/modules/subscriptions/rules/state.ts'
import { deliveryStates } from '../lib/modules/webhooks/rules/state.ts'
import { weaknessesOf } from './weak-tests.ts'

const files = ['lib', 'app', 'components', 'scripts', 'e2e', 'packages', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\/(?:node_modules|dist|generated|\.next)\//.test(file)),
)
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const sources = files.filter((file) => !isTest(file))
const read = (file: string) => readFileSync(file, 'utf8')
const code = (file: string) => read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

const pure = sources.filter((file) => !file.endsWith('.d.ts') && /^lib\/(kernel|modules\/[a-z-]+\/rules)\//.test(file))
const foldersOf = (parent: string) =>
  readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [path.join(parent, entry.name)] : [],
  )
const documentedFolders = [
  'scripts',
  ...['packages', 'examples'].flatMap(foldersOf),
  ...['lib', 'lib/modules', 'lib/workflows', 'lib/providers'].flatMap(foldersOf),
]

/** Whether the file has a name whose role lib/modules/README.md or lib/workflows/README.md describes. */
const isRole = (file: string) =>
  /\/(?:rules|commands)\/|\/(?:contract|store|resource|operations|page|hosted|tasks|jobs|rows|index)\.ts$/.test(file) ||
  /\/(?:examples|brand-view|seller-view)\.ts$/.test(file)
const nearestReadme = (file: string): string => {
  const readme = path.join(path.dirname(file), 'README.md')
  return existsSync(readme) ? read(readme) : nearestReadme(path.dirname(file))
}

interface Drawn {
  states: readonly string[]
  transitions(): readonly { from: string; trigger: string; to: string }[]
  reachableFrom(state: string): ReadonlySet<string>
}
const machines: Record<string, Drawn> = {
  chargebacks: chargebackStates as Drawn,
  checkouts: checkoutStates as Drawn,
  orders: orderStates as Drawn,
  payments: paymentStates as Drawn,
  recovery: recoveryStates as Drawn,
  refunds: refundStates as Drawn,
  subscriptions: subscriptionStates as Drawn,
  webhooks: deliveryStates as Drawn,
}

/** State machines that can start in a state other than the first state in their table. */
const beginnings: Record<string, readonly string[]> = { chargebacks: ['pending', 'requires_amount_review'] }

/** Words that docs/decisions/0007-one-vocabulary.md replaced. */
const oldWords = new RegExp(
  `\\b(?:${[
    '[Rr]inger|[Rr]inging|[Rr]ung|[Pp]oke|ring_at|ringNow|drivingClocks|driven_until|togetherOf|takeTasks|keepTask|muteTask|Fenced',
    'laterEach|emitEach|alsoWrong|wrongTogether|guardedPost|NoReply|handOver|NotTaken|makeDormant|whereIs|approveByItself',
    'hearNews|paymentNews|chargebackNews|countAgain|moveQueue|tellBalanceGrew|newlyMade|dayRates|abandonSale|Misuse',
    '[Hh]ear|[Hh]eard|[Tt]old|\\w+Told|[Kk]inds of|[Gg]oes on|[Ww]hoever|by itself|by themselves|that (?:is|are) none',
    // `whose` is forbidden only as an identifier.
    '(?:const|let|function|interface|type) [Ww]hose|(?<=\\.\\.\\.|\\$\\{)whose|whose(?=[:,;=(){}.])',
    'aLife|aRichWorld|prepareDeaths|askedAnew|asked-anew',
    'news|newsWords|MemberNews|rings?|ringsAfter|mailsOf|linksMailed|tellArrival|beginsAnew|settleAll|settleSimulated',
    '(?:const|let|function|interface|type) (?:[Tt]ell|[Mm]ails?|[Ss]heet)',
    'billing_links|invoice_links|invoice-details|openCorrection|whatBreaks|mustHold|kept-file|tidy\\.test|house\\.test',
    '[Cc]ancellation window',
  ].join('|')})\\b`,
)
const namesOldWords = ['e2e/states.spec.ts', 'scripts/conventions.test.ts']

const unclearPhrases = new RegExp(
  `\\b(?:${[
    'of it|for who|who may|what is told|what came of|goes on|go on|anew|another \\w+(?: \\w+){0,3} than|nothing of|there is none',
    // "so many" is clear after a comma ("…, so many processes need few") and unclear before a noun ("so many days").
    '(?<!, )so many',
    'comes? to|in one go|by itself|by themselves|its turn|theirs|whoever|as ever|is held against|what of',
  ].join('|')})\\b`,
  'i',
)
/** The list omits the benchmark documents, because a script writes them. */
const documents = [
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['packages', 'examples'].flatMap(foldersOf).map((folder) => path.join(folder, 'README.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.join('docs', file)),
].filter((file) => file.endsWith('.md') && !/^docs\/benchmarks|\/node_modules\//.test(file))
const proseOf = (file: string) =>
  read(file)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\n(?=\S)|\n +/g, ' ')

describe('conventions', () => {
  it('the convention checks read more than 30 files of rules and the kernel, and more than 30 folders', () => {
    expect(pure.length).toBeGreaterThan(30)
    expect(documentedFolders.length).toBeGreaterThan(30)
  })

  it('rules and the kernel use no clock, no randomness, and no environment', () => {
    const impure = /new Date\(\)|Date\.now|Math\.random|process\.|node:/
    expect(pure.filter((file) => impure.test(code(file)))).toEqual([])
  })

  it('each file of the rules and of the kernel has a unit test next to it', () => {
    const tested = pure.filter((file) => !file.endsWith('index.ts') && /\bfunction\b|=>/.test(code(file)))
    expect(tested.filter((file) => !existsSync(file.replace(/\.ts$/, '.test.ts')))).toEqual([])
  })

  it('API route files export only routes', () => {
    const routes = sources.filter((file) => /^app\/v1\/.*route\.ts$/.test(file) && !file.includes('openapi'))
    expect(routes.length).toBeGreaterThan(30)
    const exportsOf = (file: string) => [...read(file).matchAll(/^export (.*)$/gm)].map(([, rest]) => rest ?? '')
    const isRoute = (line: string) => /^const (GET|POST|PATCH|DELETE) = route\(/.test(line)
    expect(routes.filter((file) => exportsOf(file).length === 0 || !exportsOf(file).every(isRoute))).toEqual([])
  })

  it('each folder of lib, packages, and examples has a README with more than 200 characters', () => {
    const isDescribed = (folder: string) =>
      existsSync(`${folder}/README.md`) && read(`${folder}/README.md`).length > 200
    expect(documentedFolders.filter((folder) => !isDescribed(folder))).toEqual([])
  })

  it.each(['lib/workflows', 'lib/providers'])('%s/README.md names each folder in the same directory', (parent) => {
    const names = foldersOf(parent).map((folder) => path.basename(folder))
    const readme = read(`${parent}/README.md`)
    const isNamed = (name: string) => readme.includes(`\`${name}/\``) || readme.includes(`(${name}/README.md)`)
    expect(names.filter((name) => !isNamed(name))).toEqual([])
  })

  it('the nearest README names each file of lib whose name does not state its role', () => {
    const described = sources.filter((file) => /^lib\/.*\/.*\.ts$/.test(file) && !/^lib\/testing\/|\.d\.ts$/.test(file))
    expect(
      described.filter((file) => !isRole(file) && !nearestReadme(file).includes(`${path.basename(file)}\``)),
    ).toEqual([])
  })

  it.each(Object.entries(machines))(
    'the diagram in lib/modules/%s/README.md shows the transitions of the state machine',
    (noun, machine) => {
      const drawn = machine.transitions().map(({ from, trigger, to }) => `  ${from} --> ${to}: ${trigger}`)
      expect(read(`lib/modules/${noun}/README.md`)).toContain(['stateDiagram-v2', ...drawn].join('\n'))
    },
  )

  it.each(Object.entries(machines))('every state of the %s state machine is reachable', (noun, machine) => {
    const reached = (beginnings[noun] ?? machine.states.slice(0, 1)).flatMap((state) => [
      ...machine.reachableFrom(state),
    ])
    expect([...new Set(reached)].sort()).toEqual([...machine.states].sort())
  })

  it('browser tests compare texts with assertions that retry, because a click does not wait for the next page', () => {
    const tests = readdirSync('e2e').filter((file) => file.endsWith('.ts'))
    expect(tests.length).toBeGreaterThan(20)
    expect(tests.filter((file) => /\.all(?:TextContents|InnerTexts)\(/.test(read(`e2e/${file}`)))).toEqual([])
  })

  it('no object literal is spread into another, because the compiler would accept unknown properties', () => {
    expect(sources.filter((file) => read(file).includes('...{'))).toEqual([])
  })

  it('a file longer than 300 lines (400 in lib/testing, scripts, and e2e) states the reason at its top', () => {
    const isTooLong = (file: string) => {
      const lines = read(file).split('\n')
      const most = isTest(file) || /^(?:lib\/testing|scripts|e2e)\//.test(file) ? 400 : 300
      const isExplained = new RegExp(`longer than ${most} lines\\W+because`).test(lines.slice(0, 5).join(' '))
      return lines.length > most + 1 && !isExplained
    }
    expect(files.filter(isTooLong)).toEqual([])
  })

  it('the comment of each task of a module names the workflow that runs the task', () => {
    const imported = /import \{([^}]+)\} from '\.\.\/\.\.\/(modules\/[a-z-]+\/tasks\.ts)'/g
    const ran = sources
      .filter((file) => /^lib\/workflows\/[a-z-]+\/jobs\.ts$/.test(file))
      .flatMap((file) =>
        [...code(file).matchAll(imported)].flatMap(([, names = '', tasks = '']) =>
          (names.match(/\w+/g) ?? []).map((name) => ({ name, tasks: `lib/${tasks}`, workflow: path.dirname(file) })),
        ),
      )
    const commented = (file: string) => read(file).replaceAll(/\n \*(\/?) ?/g, (_, end) => (end ? ' */' : ' '))
    const isNamed = ({ name, tasks, workflow }: (typeof ran)[number]) =>
      commented(tasks).includes(`\`${workflow}\` runs this task. */\nexport const ${name} = `)
    expect(ran.length).toBeGreaterThan(20)
    expect(ran.filter((task) => !isNamed(task)).map(({ name }) => name)).toEqual([])
  })

  it('only lib/modules/tax/rules/tax-for.ts uses the tax of test mode', () => {
    const naming = sources.filter((file) => file.startsWith('lib/') && /\btax\w*InTestMode\b/.test(code(file)))
    expect(naming.sort()).toEqual(['lib/modules/tax/rules/tax-for.ts', 'lib/modules/tax/rules/test-mode-tax.ts'])
  })

  it('only clock.ts contains the empty storefront id for work without a storefront', () => {
    const naming = sources.filter((file) => file.startsWith('lib/') && /\bstorefrontId(:| [!=]==) ''/.test(code(file)))
    expect(naming).toEqual(['lib/platform/clock/clock.ts'])
  })

  it('only clock.ts writes the SQL condition for the rows of a storefront and mode', () => {
    const condition = /storefront_id\s*=\s*\$\{[^}]*\}\s+AND\s+(?:\w+\.|\$\{\w+\})?testmode\s*=\s*\$\{/
    const statements = sources.filter((file) => file.startsWith('lib/') && !isTest(file))
    expect(statements.filter((file) => condition.test(code(file)))).toEqual(['lib/platform/clock/clock.ts'])
  })

  it('lib/platform reads and writes only its own tables', () => {
    const tables = [...read('prisma/schema.prisma').matchAll(/^model (\w+)/gm)].map(([, name]) => name ?? '')
    const inSql = /(?:\b(?:FROM|UPDATE|INTO|JOIN)\s+|\b(?:db\(\)|sql)\.|insertRows\(\w+, '|\btable: ')([a-z_]+)/g
    const named = sources
      .filter((file) => file.startsWith('lib/platform/'))
      .flatMap((file) => [...code(file).matchAll(inSql)].map(([, name]) => name ?? ''))
    const own = ['api_keys', 'clocks', 'idempotency_keys', 'rate_limits', 'service_problems', 'tasks']
    expect([...new Set(named)].filter((name) => tables.includes(name)).sort()).toEqual(own)
  })

  it('only lib/kernel/format.ts creates formatters, because it creates each formatter once', () => {
    const creates = /new Intl\.(?:NumberFormat|DateTimeFormat|ListFormat|DisplayNames)\((?!'en', \{ timeZone|\))/
    const checked = sources.filter((file) => /^(?:lib|app|components)\//.test(file))
    expect(checked.filter((file) => creates.test(code(file)))).toEqual(['lib/kernel/format.ts'])
  })

  it('workflows read and write rows only through the stores of modules', () => {
    const tables = [...read('prisma/schema.prisma').matchAll(/^model (\w+)/gm)].map(([, name]) => name)
    const inStatements = new RegExp(`\\b(?:db\\(\\)|sql)\\.(?:${tables.join('|')})\\.|\\$(?:query|execute)Raw`)
    const isWorkflow = (file: string) => file.startsWith('lib/workflows/')
    expect(sources.filter((file) => isWorkflow(file) && inStatements.test(code(file)))).toEqual([])
  })

  it('prepared statements name their columns, because a migration may add columns while the service runs', () => {
    // The test skips invariant checks and transfers, because they use no prepared statements. It skips part-search.ts,
    // because `*` there selects the named columns of a subquery.
    const isPrepared = (file: string) =>
      /^lib\/(?!testing|modules\/invariants|workflows\/transfer|platform\/db\/part-search)/.test(file)
    const ofTables = /\bSELECT \*|\b(?!next\b)[a-z_]+\.\*(?=,|\s+FROM)/
    expect(sources.filter((file) => isPrepared(file) && ofTables.test(code(file)))).toEqual([])
  })

  it.each(locales.flatMap((locale) => [locale, `admin/${locale}`]))(
    'messages/%s.json has the keys and arguments of the English file',
    (name) => {
      expect(argumentsByKey(name)).toEqual(argumentsByKey(name.replace(/\w+$/, 'en')))
    },
  )

  it("titles of admin pages are computed per request, because they depend on the reader's language", () => {
    const admin = sources.filter((file) => file.startsWith('app/(admin)/'))
    expect(admin.filter((file) => /export const metadata\b/.test(code(file)))).toEqual([])
  })

  it('the last part of every message key occurs in the code', () => {
    // The code composes message keys in many ways, so the test searches only for the last part of each key. This part
    // occurs as a word or a string, for example as a status or an event.
    const shown = sources.filter((file) => /^(lib|app|components)\//.test(file)).map(code)
    const words = shown.flatMap((text) => text.match(/\w+/g) ?? [])
    const strings = shown.flatMap((text) => [...text.matchAll(/'([^'\n]+)'/g)].map(([, string = '']) => string))
    const beginnings = shown.flatMap((text) => [...text.matchAll(/`(\w+)\.\$\{/g)].map(([, word]) => `${word}_`))
    // A key replaces the dot of an event or an action with an underscore. The key of a reversed sort order is the name
    // of the order plus `-reverse`.
    const used = new Set([...words, ...strings, ...strings.map((string) => string.replace('.', '_'))])
    const named = (key: string) => {
      const last = key.slice(key.lastIndexOf('.') + 1).replace(/-reverse$/, '')
      return used.has(last) || beginnings.some((each) => last.startsWith(each) && used.has(last.slice(each.length)))
    }
    const keys = ['en', 'admin/en'].flatMap((name) => Object.keys(argumentsByKey(name)))
    expect(keys.length).toBeGreaterThan(2_000)
    expect(keys.filter((key) => !named(key))).toEqual([])
  })

  it('the code contains none of the former names that docs/decisions/0007-one-vocabulary.md replaced', () => {
    const found = (file: string) => read(file).match(oldWords)?.[0]
    const checked = files.filter((file) => !namesOldWords.includes(file))
    expect(checked.flatMap((file) => (found(file) === undefined ? [] : `${file}: ${found(file)}`))).toEqual([])
  })

  it('no document contains a phrase that needs a second reading', () => {
    const unclear = documents.map((file) => `${file}: ${proseOf(file).match(unclearPhrases)?.[0] ?? 'clear'}`)
    expect(unclear.filter((line) => !line.endsWith(': clear'))).toEqual([])
  })

  it('the wording check finds unclear phrases across line breaks, and accepts plain English', () => {
    expect('the rest of it').toMatch(unclearPhrases)
    expect('another amount of money than'.match(unclearPhrases)?.[0]).toBe('another amount of money than')
    expect('Each has its own connection, so many processes need few.').not.toMatch(unclearPhrases)
    expect('so many days').toMatch(unclearPhrases)
  })

  it('host names are parsed only by functions that behave the same in all versions of Node.js', () => {
    expect(sources.filter((file) => /URL\.canParse|domainTo(ASCII|Unicode)/.test(code(file)))).toEqual([])
  })

  it('no empty catch block swallows an error', () => {
    const swallows = /catch\s*(\([^)]*\))?\s*\{\s*\}/
    const checked = sources.filter((file) => /^(lib|app|scripts)\//.test(file))
    expect(checked.filter((file) => swallows.test(code(file)))).toEqual([])
  })

  it('tests wait for conditions, not for a fixed time', () => {
    const waits = /waitForTimeout|setTimeout\((resolve|r|done),|\bsleep\(/
    const checked = files.filter((file) => isTest(file) && !file.endsWith('conventions.test.ts'))
    expect(checked.filter((file) => waits.test(code(file)))).toEqual([])
  })
})

describe('the expectations of tests', () => {
  const tests = files.filter((file) => /\.(?:test|spec)\.tsx?$/.test(file))

  it('no test has an incomplete or repeated row, ends before an expectation, or compares a value with itself', () => {
    const weak = tests.flatMap((file) =>
      weaknessesOf(read(file), file.endsWith('x') ? 'tsx' : 'ts').map((each) => `${file}:${each}`),
    )
    expect(weak).toEqual([])
    expect(tests.length).toBeGreaterThan(600)
  })

  it.each([
    ['a title with more placeholders than the row has values', `it.each([['a']])('%s and %s', () => {})`],
    ['a short row with a type', `it.each([['a'] as const, ['b'] satisfies Row])('%s and %s', () => {})`, 2],
    ['a title that names a value that the row lacks', `it.each([['a', 'b']])('%s and $2', () => {})`],
    ['a placeholder without a table', `it('refuses %s', () => {})`],
    ['a row that appears twice', `it.each([['a', 1], ['b', 1], ['a', 1]] as const)('%s', () => {})`],
    ['an early end of a test', `it('ends', async () => { if (!open) return; expect(1).toBe(2) })`],
    ['an early end with a value', `it('ends', async () => { if (!open) return close(); expect(1).toBe(2) })`],
    ['an early end before a check of each row', `it('ends', () => { if (x) return; a.map((b) => expect(b).toBe(1)) })`],
    [
      'an early end of checks on each screen',
      `onEveryScreen(browser, async (page) => { if (!page.isOpen) { return } expect(page).toBe(2) })`,
    ],
    ['an expectation that compares a value with itself', `expect(made).toEqual(made)`],
  ])('the check for weak tests reports %s', (_, code, count = 1) => {
    expect(weaknessesOf(code, 'ts')).toHaveLength(count)
  })

  it.each([
    [
      'a table with complete rows and rows from variables',
      `it.each([['a', 1], ...more, row])('%s and $1, 100 %%', () => {})`,
    ],
    ['a table of complete rows with a type', `it.each([['a', 'b'] as const])('%s and %s', () => {})`],
    ['a title with the number of the row', `it.each([['a']])('%# %s', () => {})`],
    ['equal calls as rows', `it.each([make(), make()])('%s', () => {})`],
    ['a title with an amount or a variable', `it('costs $x and $1', () => {})`],
    [
      'an early end of an inner function',
      `it('a', () => { const b = () => { if (c) return; d() }; expect(b()).toBe(1) })`,
    ],
    ['a return after the last expectation', `it('a', () => { expect(b).toBe(1); if (c) return; d() })`],
    [
      'constants with the same value',
      `it('a', () => { const b = new Map(); const c = new Map(); expect(b).toEqual(c) })`,
    ],
  ])('the check for weak tests accepts %s', (_, code) => {
    expect(weaknessesOf(code, 'ts')).toEqual([])
  })
})

function argumentsByKey(name: string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  const walk = (value: unknown, key: string) => {
    if (typeof value === 'string') found[key] = [...new Set(argumentsOf(value))].sort()
    else for (const [name, each] of Object.entries(value as object)) walk(each, key === '' ? name : `${key}.${name}`)
  }
  walk(JSON.parse(read(`messages/${name}.json`)), '')
  return found
}

/**
 * Returns the names of the arguments of a message. Supports `{name}`, `{name, number}`, and `{name, plural, one {...}
 * other {...}}`, also with `select` or `selectordinal`.
 */
function argumentsOf(message: string): string[] {
  return bracesOf(message).flatMap((inside) => {
    const [, name = '', kind = '', rest = ''] = /^\s*(\w+)\s*(?:,\s*(\w+)\s*,?([\s\S]*))?$/.exec(inside) ?? []
    const branches = ['plural', 'select', 'selectordinal'].includes(kind) ? bracesOf(rest) : []
    return [name, ...branches.flatMap(argumentsOf)]
  })
}

function bracesOf(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const [index, character] of [...text].entries()) {
    if (character === '{' && depth++ === 0) start = index + 1
    if (character === '}' && --depth === 0) found.push([...text].slice(start, index).join(''))
  }
  return found
}
