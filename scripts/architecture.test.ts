import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { beforeAll, describe, expect, it } from 'vitest'

const planted: Record<string, { from: string; to: string; allowed: string }> = {
  'kernel-imports-kernel': { from: 'lib/kernel/money.ts', to: 'lib/platform/log.ts', allowed: 'lib/kernel/ids.ts' },
  'platform-has-no-business': {
    from: 'lib/platform/http/route.ts',
    to: 'lib/modules/orders/store.ts',
    allowed: 'lib/kernel/money.ts',
  },
  'rules-import-rules-and-kernel': {
    from: 'lib/modules/catalog/rules/review.ts',
    to: 'lib/modules/catalog/store.ts',
    allowed: 'lib/modules/tax/rules/index.ts',
  },
  'contracts-import-shapes': {
    from: 'lib/modules/orders/contract.ts',
    to: 'lib/modules/orders/store.ts',
    allowed: 'lib/platform/http/shapes.ts',
  },
  'prisma-in-stores-only': {
    from: 'lib/modules/orders/operations.ts',
    to: 'prisma/client/client.ts',
    allowed: 'lib/modules/orders/store.ts',
  },
  'modules-look-down': {
    from: 'lib/modules/orders/resource.ts',
    to: 'lib/workflows/refund/queue.ts',
    allowed: 'lib/modules/tax/rules/index.ts',
  },
  'providers-look-down': {
    from: 'lib/providers/sandbox/provider.ts',
    to: 'lib/workflows/collection/sync-payment.ts',
    allowed: 'lib/modules/payments/provider.ts',
  },
  'providers-through-the-registry': {
    from: 'lib/workflows/chargeback/operations.ts',
    to: 'lib/providers/sandbox/provider.ts',
    allowed: 'lib/providers/index.ts',
  },
  'workflows-look-down': {
    from: 'lib/workflows/sale/jobs.ts',
    to: 'lib/server/jobs.ts',
    allowed: 'lib/platform/jobs/tasks.ts',
  },
  'admin-looks-down': {
    from: 'lib/admin/orders.ts',
    to: 'lib/cli/main.ts',
    allowed: 'lib/workflows/refund/operations.ts',
  },
  'admin-serves-its-pages-alone': {
    from: 'lib/workflows/transfer/csv.ts',
    to: 'lib/admin/export.ts',
    allowed: 'lib/workflows/csv-lists/lists.ts',
  },
  'operations-do-not-use-pages': {
    from: 'lib/workflows/refund/operations.ts',
    to: 'lib/workflows/portal/submit-portal.ts',
    allowed: 'lib/modules/catalog/store.ts',
  },
  'app-uses-doors': {
    from: 'app/v1/orders/route.ts',
    to: 'lib/workflows/collection/sync-payment.ts',
    allowed: 'lib/modules/orders/operations.ts',
  },
  'components-are-given-everything': {
    from: 'components/ui/field.tsx',
    to: 'lib/modules/orders/operations.ts',
    allowed: 'lib/modules/checkouts/page.ts',
  },
  'test-helpers-in-tests-only': {
    from: 'lib/modules/orders/operations.ts',
    to: 'lib/testing/shop.ts',
    allowed: 'lib/platform/db/db.ts',
  },
}

interface Restriction {
  path?: string | string[]
  pathNot?: string | string[]
}
const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: { name: string; from: Restriction; to: Restriction }[]
}

const some = (patterns: string | string[] | undefined, file: string, groups: string[]) =>
  [patterns ?? []]
    .flat()
    .some((pattern) => new RegExp(pattern.replace(/\$(\d)/g, (_, n) => groups[n] ?? '')).test(file))

/** Whether the rule forbids an import of `target` by `source`. A rule applies only if all its conditions hold, as in dependency-cruiser. */
function forbids({ from, to }: { from: Restriction; to: Restriction }, source: string, target: string): boolean {
  const holds = ({ path, pathNot }: Restriction, file: string, groups: string[]) =>
    (path === undefined || some(path, file, groups)) && !some(pathNot, file, groups)
  const groups = typeof from.path === 'string' ? [...(new RegExp(from.path).exec(source) ?? [])] : []
  return holds(from, source, groups) && holds(to, target, groups)
}

async function importGraph() {
  const { output } = await cruise(['app', 'components', 'lib'], {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^\\.next/', '^prisma/client', '\\.test\\.tsx?$', '^lib/testing/', 'examples\\.ts$'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  })
  if (typeof output === 'string') throw new Error('the import graph is a text')
  return output.modules
}
let graph: Awaited<ReturnType<typeof importGraph>>

/** Maps each folder to the folders that it imports by value. `nameOf` returns null for a file to ignore. */
function needsOf(nameOf: (file: string) => string | null): Map<string, Set<string>> {
  const needs = new Map<string, Set<string>>()
  for (const { source, dependencies } of graph) {
    const from = nameOf(source)
    if (from === null) continue
    const targets = needs.get(from) ?? new Set()
    for (const { resolved, module } of dependencies) {
      const to = nameOf(resolved)
      if (to !== null && to !== from && !isTypeOnly(source, module)) targets.add(to)
    }
    needs.set(from, targets)
  }
  return needs
}

describe('folders of lib', () => {
  beforeAll(async () => {
    graph = await importGraph()
  }, 300_000)

  it('lib has no import cycles between folders, and the check covers all folders', () => {
    const needs = needsOf(folderOf)
    expect([...needs.keys()].sort()).toEqual(foldersOnDisk())
    expect(circles(needs)).toEqual([])
  })

  it('the diagram in ARCHITECTURE.md shows the imports between app, components, and the folders of lib', () => {
    const needs = needsOf((file) => {
      const [top = '', folder = '', ...rest] = file.split('/')
      if (top === 'lib') return rest.length > 0 ? folder : null
      return ['app', 'components'].includes(top) ? top : null
    })
    const drawn = [...needs].flatMap(([from, targets]) => [...targets].map((to) => `  ${from} --> ${to}`)).sort()
    expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(['flowchart TD', ...drawn, '```'].join('\n'))
  })

  it('the import check finds cycles between folders', () => {
    const needs = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b', 'd'])],
      ['d', new Set<string>()],
    ])
    expect(circles(needs)).toEqual(['b', 'c'])
  })
})

const grouped = ['platform', 'modules', 'providers', 'workflows']

/**
 * Returns the folder of a file, such as `lib/modules/orders` for `lib/modules/orders/rules/order.ts`. A file directly
 * in `lib/modules` or a similar folder belongs to that folder.
 */
function folderOf(file: string): string | null {
  const [top, folder = '', inner, ...rest] = file.split('/')
  if (top !== 'lib') return null
  return grouped.includes(folder) && rest.length > 0 ? `lib/${folder}/${inner}` : `lib/${folder}`
}

/**
 * Reads the file itself, because dependency-cruiser reports every import in a TypeScript file as an import by value.
 */
function isTypeOnly(file: string, specifier: string): boolean {
  const statements = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'";]*?\bfrom '([^']+)'/gm)]
  const mine = statements.filter(([, imported]) => imported === specifier)
  return mine.length > 0 && mine.every(([statement]) => /^(?:import|export) type\b/.test(statement))
}

/**
 * A transaction that opens inside another transaction has its own connection. It can wait for a lock of the outer transaction,
 * and it stays committed if the outer transaction is rolled back. So only pages, tasks, and the admin area may import files that
 * open transactions. As an exception, a file that opens transactions may import such a file of its own folder.
 */
describe('nested transactions', () => {
  const files = sourcesIn(['lib/modules', 'lib/workflows'])
  const isCaller = (file: string) => /\/(?:(?:load|submit|manage)-[^/]+|jobs)\.ts$/.test(file)
  const isDoor = (file: string) => file.endsWith('/operations.ts') || opensTransaction(readFileSync(file, 'utf8'))
  const doors = new Set(files.filter(isDoor))

  const mayImport = (from: string, to: string): boolean =>
    !doors.has(to) || isCaller(from) || (doors.has(from) && folderOf(from) === folderOf(to))

  it.each([
    ['transact(context, async (tx) => {})', true],
    ['db().$transaction((sql) => read(sql))', true],
    ['/** Call it in `transact(context)`. */ // transact()', false],
    ['export async function renew(tx: Transaction) {}', false],
  ])('the transaction check classifies the code %s as opening a transaction: %s', (text, opens) => {
    expect(opensTransaction(text)).toBe(opens)
  })

  it.each([
    ['lib/workflows/renewal/renew.ts', 'lib/workflows/tax-ids/check.ts', false],
    ['lib/workflows/renewal/renew.ts', 'lib/workflows/refund/recall.ts', false],
    ['lib/workflows/refund/queue.ts', 'lib/workflows/refund/operations.ts', false],
    ['lib/workflows/renewal/operations.ts', 'lib/workflows/refund/operations.ts', false],
    ['lib/workflows/renewal/renew.ts', 'lib/workflows/refund/queue.ts', true],
    ['lib/workflows/refund/recall.ts', 'lib/workflows/refund/operations.ts', true],
    ['lib/workflows/portal/submit-portal.ts', 'lib/workflows/subscription-change/operations.ts', true],
  ])('the transaction check allows %s to import %s: %s', (from, to, may) => {
    expect(files).toEqual(expect.arrayContaining([from, to]))
    expect(mayImport(from, to)).toBe(may)
  })

  it('a file that runs inside a transaction imports no file that opens another transaction', () => {
    const imports = files.flatMap((from) => importsByValue(from).map((to) => [from, to] as const))
    expect(imports.length).toBeGreaterThan(1000)
    expect(imports.filter(([from, to]) => !mayImport(from, to)).map((each) => each.join(' -> '))).toEqual([])
  })
})

/** Files with SQL statements only read and write rows, so they must not import operations. The test finds these files by their code, not by their name. */
describe('files with SQL statements', () => {
  const tables = [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/^model (\w+)/gm)].map(([, name]) => name)
  const inSql = `\\b(?:db\\(\\)|reader\\(\\)|sql)\\.(?:${tables.join('|')})\\.|\\$(?:query|execute)Raw|\\b(?:insert|update)Rows\\(`
  const holdsStatements = (text: string) => new RegExp(inSql).test(withoutComments(text))
  const stores = new Set(
    sourcesIn(['lib/modules', 'lib/providers']).filter((file) => holdsStatements(readFileSync(file, 'utf8'))),
  )
  /** The files of webhook delivery may import any file, because they commit a batch of attempts and their effects in as few statements as possible. */
  const exceptions = ['lib/modules/webhooks/dispatch.ts', 'lib/modules/webhooks/record.ts']

  const mayKnow = (from: string, to: string): boolean =>
    /^lib\/(?:kernel|platform)\/|^prisma\/client\//.test(to) ||
    /^lib\/modules\/[^/]+\/(?:rules\/|(?:rows|page|provider-data|test-controls|tasks|event-types)\.ts$)/.test(to) ||
    // A store imports only stores of its own module. Every store may also import `horizons.ts` of the events module,
    // which stores the id up to which old rows were removed.
    (stores.has(to) && (folderOf(from) === folderOf(to) || to === 'lib/modules/events/horizons.ts'))

  it.each([
    ['sql.orders.findFirst({ where: { id } })', true],
    ['reader().emails.findMany({})', true],
    ['sql.$queryRaw`SELECT 1`', true],
    ["insertRows(sql, 'orders', rows)", true],
    ['// sql.orders.findFirst', false],
    ['findOrder(sql, tenant, id)', false],
  ])('the store check classifies the code %s as having SQL statements: %s', (text, is) => {
    expect(holdsStatements(text)).toBe(is)
  })

  it.each([
    ['lib/modules/operators/members.ts', 'lib/modules/operators/operations.ts', false],
    ['lib/modules/orders/withdrawals.ts', 'lib/modules/orders/resource.ts', false],
    ['lib/providers/sandbox/store.ts', 'lib/modules/orders/store.ts', false],
    ['lib/modules/orders/withdrawals.ts', 'lib/modules/orders/rules/order.ts', true],
    ['lib/modules/webhooks/old-rows.ts', 'lib/modules/events/horizons.ts', true],
  ])('the store check allows %s, which contains SQL statements, to import %s: %s', (from, to, may) => {
    expect(stores).toContain(from)
    expect(existsSync(to)).toBe(true)
    expect(mayKnow(from, to)).toBe(may)
  })

  it('files with SQL statements import only files that the store check allows, with two exceptions', () => {
    const strays = [...stores].flatMap((from) =>
      importsByValue(from).flatMap((to) => (mayKnow(from, to) ? [] : [from])),
    )
    expect([...new Set(strays)].sort()).toEqual(exceptions)
  })
})

function sourcesIn(folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

const opensTransaction = (text: string): boolean => /\btransact\(|\$transaction\(/.test(withoutComments(text))

const importsByValue = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b(?! type\b)[^'";]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
    ),
  ].map(([, fixed, dynamic]) => path.join(path.dirname(file), fixed ?? dynamic ?? ''))

const foldersOnDisk = (): string[] =>
  readdirSync('lib', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .flatMap((entry) => folderOf(path.join(entry.parentPath, entry.name)) ?? [])
    .filter((folder, index, all) => folder !== 'lib/testing' && all.indexOf(folder) === index)
    .sort()

function circles(needs: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of needs.get(from) ?? []) if (!seen.has(to)) reach(to, seen.add(to))
    return seen
  }
  return [...needs.keys()].filter((folder) => reach(folder).has(folder)).sort()
}

describe('the import rules', () => {
  it('each import rule except no-cycles has an example of a violation', () => {
    expect(Object.keys(planted).sort()).toEqual(
      forbidden
        .map((rule) => rule.name)
        .filter((name) => name !== 'no-cycles')
        .sort(),
    )
  })

  it.each(Object.entries(planted))(
    'the rule %s forbids its example violation and allows a correct import',
    (name, { from, to, allowed }) => {
      const rule = forbidden.find((each) => each.name === name)
      expect(rule && forbids(rule, from, to)).toBe(true)
      expect(rule && forbids(rule, from, allowed)).toBe(false)
    },
  )

  it('dependency-cruiser sees the imports of TypeScript files', async () => {
    const { output } = await cruise(['lib/modules/orders/operations.ts'], { doNotFollow: { path: '.' } })
    const modules = typeof output === 'string' ? [] : output.modules
    const seen = modules
      .find((module) => module.source === 'lib/modules/orders/operations.ts')
      ?.dependencies.map((each) => each.resolved)
    expect(seen).toContain('lib/modules/orders/store.ts')
  })
})
