import pg from 'pg'

export interface RecordedQuery {
  readonly text: string
  readonly values: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: pg.Client, ...args: any[]) => any

export async function watchingQueries(
  see: (client: pg.Client, query: RecordedQuery) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const original = pg.Client.prototype.query as Query
  const query: Query = function (...args) {
    const [asked, values] = args
    see(this, { text: String(asked?.text ?? asked), values: asked?.values ?? values ?? [] })
    return original.apply(this, args)
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query
  }
}

export async function recordedQueries(work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const queries: RecordedQuery[] = []
  await watchingQueries((_, query) => {
    if (/^\s*(?:SELECT|WITH)\b/i.test(query.text)) queries.push(query)
  }, work)
  return queries
}

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}

export interface Scan {
  readonly table: string
  readonly rows: number
  readonly isWhole: boolean
}

type Run = <Row>(query: { text: string; values?: unknown[] }) => Promise<Row[]>

/**
 * Returns the scans of a query. The setting `plan_cache_mode` of the connection decides whether PostgreSQL plans the
 * query for these values or uses a generic plan.
 */
export async function scansOf(run: Run, query: RecordedQuery): Promise<Scan[]> {
  const scans: Scan[] = []
  const visit = (node: Node) => {
    const table = node['Relation Name']
    if (table !== undefined) {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      const rows = (node['Actual Rows'] + removed) * node['Actual Loops']
      // A scan that the plan contains but this execution skipped has no loops and does not count.
      const isWhole = node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0
      scans.push({ table, rows, isWhole })
    }
    node.Plans?.forEach(visit)
  }
  visit(await explained(run, query))
  return scans
}

async function explained(run: Run, { text, values }: RecordedQuery): Promise<Node> {
  await run({ text: 'DEALLOCATE ALL' })
  await run({ text: `PREPARE explained AS ${text}` })
  const literals = values.length === 0 ? '' : `(${(await literalsOf(run, values)).join(', ')})`
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained${literals}`,
  })
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('the database explained nothing')
  return plan
}

async function literalsOf(run: Run, values: readonly unknown[]): Promise<string[]> {
  const quoted = values.map((_, index) => `quote_nullable($${index + 1}::text)`)
  const sent = values.map((value) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value))
  const [row] = await run<{ literals: string[] }>({
    text: `SELECT ARRAY[${quoted.join(', ')}] AS literals`,
    values: sent,
  })
  return row?.literals ?? []
}
