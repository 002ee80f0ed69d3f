import pg from 'pg'

/** A query as it went to the database. */
export interface RecordedQuery {
  readonly text: string
  readonly values: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: the driver's overloads
type Query = (this: pg.Client, ...args: any[]) => any

/** Runs `work` and returns the queries that it made of tables, in their order. */
export async function recordedQueries(work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const original = pg.Client.prototype.query as Query
  const queries: RecordedQuery[] = []
  const query: Query = function (...args) {
    const [asked, values] = args
    const text = String(asked?.text ?? asked)
    if (/^\s*(?:SELECT|WITH)\b/i.test(text)) queries.push({ text, values: asked?.values ?? values ?? [] })
    return original.apply(this, args)
  }
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query
  }
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

/** How a query read a table: how many rows it looked at, and whether it went through the whole table. */
export interface Scan {
  readonly table: string
  readonly rows: number
  readonly isWhole: boolean
}

/** Runs the plan of a query: how it reads each table. */
export async function scansOf(
  run: <Row>(query: { text: string; values?: unknown[] }) => Promise<Row[]>,
  { text, values }: RecordedQuery,
): Promise<Scan[]> {
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values: [...values],
  })
  const scans: Scan[] = []
  const visit = (node: Node) => {
    const table = node['Relation Name']
    if (table !== undefined) {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      const rows = (node['Actual Rows'] + removed) * node['Actual Loops']
      scans.push({ table, rows, isWhole: node['Node Type'] === 'Seq Scan' })
    }
    node.Plans?.forEach(visit)
  }
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error('the database explained nothing')
  visit(plan)
  return scans
}
