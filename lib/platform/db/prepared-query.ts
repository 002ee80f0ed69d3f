import pg from 'pg'
import { rowTemplate } from './row-template.ts'

/**
 * A query as the driver has it, which costs less when its statement has a name: PostgreSQL describes the rows of a named
 * statement once per connection instead of with each answer, and rows are made by a template.
 */

interface RowShape {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
  readonly template: Readonly<Record<string, unknown>>
}

/** What of the driver's query and connection is not in its types. */
interface DriverConnection {
  describe(asked: object): void
}
interface DriverQuery {
  name: string | undefined
  readonly _result: { rows: unknown[]; _parsers?: RowShape['parsers'] }
  _canceledDueToError: unknown
  prepare(connection: DriverConnection): void
  handleRowDescription(message: { readonly fields: readonly { readonly name: string }[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
}
type Callback = (error: Error | null, result: pg.QueryResult) => void
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback?: Callback,
) => DriverQuery & pg.Submittable

/** What a connection knows of its named statements: they cannot get rows of another shape, PostgreSQL refuses that. */
interface Known {
  readonly shapes: Map<string, RowShape>
  /** The same connection, which does not ask for the description. */
  readonly undescribed: DriverConnection
}
const knownOf = new WeakMap<DriverConnection, Known>()

function known(connection: DriverConnection): Known {
  const before = knownOf.get(connection)
  if (before) return before
  const undescribed = Object.create(connection, { describe: { value: () => undefined } }) as DriverConnection
  const now = { shapes: new Map<string, RowShape>(), undescribed }
  knownOf.set(connection, now)
  return now
}

const noRows: RowShape = { names: [], parsers: [], template: {} }

interface Named {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

class PreparedQuery extends DriverQuery {
  private shape: RowShape | undefined

  // The driver makes a slow copy of a query that is not a text.
  constructor({ name, text, values }: Named, callback?: Callback) {
    super(text, values, callback)
    this.name = name
  }

  override prepare(connection: DriverConnection): void {
    const { shapes, undescribed } = known(connection)
    this.shape = this.name ? shapes.get(this.name) : undefined
    super.prepare(this.shape ? undescribed : connection)
  }

  override handleRowDescription(message: Parameters<DriverQuery['handleRowDescription']>[0]): void {
    super.handleRowDescription(message)
    const names = message.fields.map(({ name }) => name)
    this.shape = { names, parsers: this._result._parsers ?? [], template: rowTemplate(names) }
  }

  override handleDataRow({ fields }: Parameters<DriverQuery['handleDataRow']>[0]): void {
    if (this._canceledDueToError) return
    const { names, parsers, template } = this.shape ?? noRows
    const row: Record<string, unknown> = { ...template }
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index]
        const name = names[index]
        if (text != null && name !== undefined) row[name] = parsers[index]?.(text)
      }
    } catch (error) {
      this._canceledDueToError = error
      return
    }
    this._result.rows.push(row)
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.name) known(connection).shapes.set(this.name, this.shape ?? noRows)
    super.handleCommandComplete(message, connection)
  }
}

/** Runs one statement, on a connection or on any one of the pool. */
export function query(connection: pg.Pool | pg.ClientBase, statement: Named): Promise<pg.QueryResult> {
  if (connection instanceof pg.Pool) return connection.query(new PreparedQuery(statement) as unknown as pg.QueryConfig)
  return new Promise((resolve, reject) => {
    connection.query(new PreparedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))))
  })
}
