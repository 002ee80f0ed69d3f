import type pg from 'pg'
import type { Prisma } from '../../../prisma/client/client.ts'
import { tables } from '../../../prisma/client/tables.ts'
import { traced } from '../tracing.ts'
import { allColumns } from './columns.ts'
import { emptyFragment, type Fragment, fragment, rawFragment, type SqlStatement, sqlStatement } from './fragment.ts'
import { failureOfLast, type LastChange, statementOfLast } from './last-change.ts'
import { codeOf } from './one-connection.ts'
import {
  type Connection as Client,
  currentPool,
  lentConnection,
  limitsFor,
  openPool,
  type QueryLimits,
  shared,
} from './pool.ts'
import { forgetStatements, runOn } from './run.ts'
import { tracedStatement } from './statement-span.ts'
import { type Run, TableQueries } from './table-queries.ts'
import { TransactionTimeout } from './transaction-timeout.ts'
import { isReadOnly } from './unavailable.ts'

type Queries<Table extends Prisma.ModelName> = Pick<Prisma.TransactionClient[Table], keyof TableQueries>

/** Queries on any free connection, or on the connection of the current transaction. */
export type Sql = { readonly [Table in Prisma.ModelName]: Queries<Table> } & {
  $queryRaw<Row = unknown>(strings: TemplateStringsArray | Fragment, ...values: unknown[]): Promise<Row>
  $executeRaw(strings: TemplateStringsArray | Fragment, ...values: unknown[]): Promise<number>
  /** `text` is built by the program and has `$1`, `$2`, … as placeholders. */
  $queryRawUnsafe<Row = unknown>(text: string, ...values: unknown[]): Promise<Row>
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>
}

interface TransactionOptions {
  /** Milliseconds after which the transaction refuses statements. */
  readonly timeout?: number
  readonly isolationLevel?: 'RepeatableRead'
  readonly statementMs?: number
}

export interface Database extends Sql {
  $transaction<Result>(work: Work<Result>, options?: TransactionOptions): Promise<Result>
}

type Work<Result> = (sql: Sql, withCommit: (change: LastChange) => void) => Promise<Result>

export const runOnDatabase: Run = (statement) => tracedStatement(statement, () => runOn(currentPool(), statement))

class Connection {
  constructor(readonly run: Run) {}

  async $queryRaw(strings: TemplateStringsArray | Fragment, ...values: unknown[]) {
    return (await this.run(sqlStatement(strings, values))).rows
  }

  async $executeRaw(strings: TemplateStringsArray | Fragment, ...values: unknown[]) {
    return (await this.run(sqlStatement(strings, values))).rowCount ?? 0
  }

  async $queryRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.run({ text, values })).rows
  }

  async $executeRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.run({ text, values })).rowCount ?? 0
  }
}

for (const table of Object.keys(tables)) {
  Object.defineProperty(Connection.prototype, table, {
    get(this: Connection) {
      const value = new TableQueries(this.run, table)
      Object.defineProperty(this, table, { value })
      return value
    },
  })
}

export const sqlOn = (run: Run): Sql => new Connection(run) as unknown as Sql

const database: Database = Object.assign(sqlOn(runOnDatabase), { $transaction })

/** Use this for reads. Operations write through `transact`. */
export const db = (): Database => database

function $transaction<Result>(work: Work<Result>, options?: TransactionOptions): Promise<Result> {
  return traced('transaction', { isInner: true }, () => runTransaction(work, options))
}

async function runTransaction<Result>(
  work: Work<Result>,
  { timeout = 20_000, statementMs, isolationLevel }: TransactionOptions = {},
): Promise<Result> {
  const client = await lentConnection()
  const limits: QueryLimits = statementMs === undefined ? {} : limitsFor(statementMs)
  const latest = performance.now() + timeout
  let isOpen = true
  let failure: unknown
  client.sendTogether()
  // BEGIN is sent together with the first statement and not awaited here.
  const begun = begin(client, isolationLevel, statementMs)
  const sql = sqlOn(async (statement) => {
    if (!isOpen) throw new Error('The transaction has ended.')
    if (performance.now() > latest) throw new TransactionTimeout()
    client.sendTogether()
    return tracedStatement(statement, () => runOn(client, statement, limits))
  })
  const last: LastChange[] = []
  try {
    const result = await work(sql, (change) => last.push(change))
    await begun
    if (performance.now() > latest) throw new TransactionTimeout()
    isOpen = false
    await commit(client, last, limits)
    return result
  } catch (error) {
    isOpen = false
    failure = await rollBack(client)
    if (hasOtherColumns(error) || isReadOnly(error)) failure ??= error
    throw error
  } finally {
    client.release(failure !== undefined)
  }
}

function begin(
  client: pg.ClientBase,
  isolationLevel: TransactionOptions['isolationLevel'],
  statementMs: TransactionOptions['statementMs'],
): Promise<unknown> {
  const begun = (async () =>
    Promise.all([
      client.query(isolationLevel === 'RepeatableRead' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN'),
      statementMs === undefined ? undefined : client.query(`SET LOCAL statement_timeout = ${statementMs}`),
    ]))()
  begun.catch(() => 'it is awaited before the COMMIT')
  return begun
}

/** Throws if a statement has failed, because PostgreSQL then rolls back on COMMIT without an error. */
async function commit(client: Client, last: readonly LastChange[], limits: QueryLimits): Promise<void> {
  client.sendTogether()
  const changed = last.map((change) =>
    made(change, (statement) => tracedStatement(statement, () => runOn(client, statement, limits))),
  )
  const committed = (async () => client.query({ text: 'COMMIT', ...limits }))()
  await allOf([...changed, committed])
  const { command } = await committed
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.')
}

async function allOf(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const end of await Promise.allSettled(promises)) if (end.status === 'rejected') throw end.reason
}

export const changeNow = (sql: Sql, last: LastChange): Promise<void> =>
  made(last, ({ text, values }) => sql.$executeRawUnsafe(text, ...values))

async function made(last: LastChange, run: (statement: SqlStatement) => Promise<unknown>): Promise<void> {
  try {
    await run(statementOfLast(last))
  } catch (error) {
    throw failureOfLast(last, error)
  }
}

/** Whether a statement failed because a migration changed a table after the statement was prepared. Only a new connection prepares the statement again. */
export const hasOtherColumns = (error: unknown): boolean => codeOf(error) === '0A000'

async function rollBack(client: pg.ClientBase): Promise<unknown> {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error
  }
}

/** Extends leases on a separate connection, because other work may use the whole pool. Returns the number of changed rows. */
export async function beat(text: string, values: readonly unknown[]): Promise<number> {
  shared.billhookHeart ??= openPool(1)
  return (await shared.billhookHeart.query(text, [...values])).rowCount ?? 0
}

export async function closeDatabase(): Promise<void> {
  const { billhookPool: pool, billhookHeart: heart, billhookReplica: replica } = shared
  shared.billhookPool = undefined
  shared.billhookHeart = undefined
  shared.billhookReplica = undefined
  if (heart && !heart.ended) await heart.end()
  if (replica && !replica.ended) await replica.end()
  if (pool && !pool.ended) await pool.end()
  forgetStatements()
}

/** SQL NULL for a JSON column. A plain `null` would store the JSON value null. */
export const dbNull = null as unknown as typeof Prisma.DbNull

type Row<Table extends Prisma.ModelName> = Required<
  Extract<Prisma.TypeMap['model'][Table]['operations']['createMany']['args']['data'], readonly unknown[]>[number]
>

/** Inserts rows and returns their number. Unlike `createMany`, this function uses one statement text for any number of rows. */
export const insertRows = <Table extends Prisma.ModelName>(
  sql: Sql,
  table: Table,
  rows: readonly Row<Table>[],
  options: { skipDuplicates?: boolean } = {},
): Promise<number> => sql.$executeRaw(insertion(table, rows, options))

export function insertion<Table extends Prisma.ModelName>(
  table: Table,
  rows: readonly Row<Table>[],
  { skipDuplicates = false }: { skipDuplicates?: boolean } = {},
): Fragment {
  const values = asJson(rows)
  const into = rawFragment(table)
  const columns = allColumns(table)
  return fragment`
    INSERT INTO ${into} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${into}, ${values}::json)
    ${skipDuplicates ? fragment`ON CONFLICT DO NOTHING` : emptyFragment}`
}

/** Updates rows by id. The first row determines the columns. Returns the number of rows. */
export async function updateRows<Table extends Prisma.ModelName>(
  sql: Sql,
  table: Table,
  rows: readonly (Partial<Row<Table>> & { id: string })[],
): Promise<number> {
  const [first] = rows
  if (!first) return 0
  const name = rawFragment(table)
  const columns = Object.keys(first).filter((column) => column !== 'id')
  const set = rawFragment(columns.map((column) => `"${column}" = changed."${column}"`).join(', '))
  return sql.$executeRaw`
    UPDATE ${name} AS target SET ${set} FROM json_populate_recordset(NULL::${name}, ${asJson(rows)}::json) AS changed
    WHERE target.id = changed.id`
}

const asJson = (rows: readonly object[]): string => JSON.stringify(rows.map(plain))

/** Converts only top-level values, because nested values contain no bigint or bytes and a JSON replacer is slow. */
function plain(row: object): object {
  const values: Record<string, unknown> = { ...row }
  for (const name in values) {
    const value = values[name]
    if (typeof value === 'bigint') values[name] = String(value)
    else if (value instanceof Uint8Array) values[name] = `\\x${Buffer.from(value).toString('hex')}`
  }
  return values
}
