import { columnType, condition, Parameters, quoted, shapeOf, UnsupportedQuery } from './condition.ts'
import type { SqlStatement } from './fragment.ts'
import { orderBy, type Row, type Selected, selection } from './selection.ts'

export type Run = (statement: SqlStatement) => Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>

type Where = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, unknown>>

interface Find extends Selected {
  readonly where?: Where
  readonly orderBy?: unknown
  readonly take?: number | undefined
  readonly distinct?: readonly string[]
}

interface Aggregate {
  readonly where?: Where
  readonly by?: readonly string[]
  readonly orderBy?: unknown
  readonly _count?: true
  readonly _sum?: Readonly<Record<string, boolean>>
  readonly _min?: Readonly<Record<string, boolean>>
  readonly _max?: Readonly<Record<string, boolean>>
}

const isEmpty = (data: Data): boolean => Object.values(data).every((value) => value === undefined)

class RowNotFound extends Error {
  constructor(table: string) {
    super(`There is no such row in ${table}.`)
  }
}

/**
 * Prisma's queries on one table, each as one SQL statement. Throws `UnsupportedQuery` for queries that this project
 * does not use.
 */
export class TableQueries {
  constructor(
    private readonly run: Run,
    private readonly table: string,
  ) {}

  async findMany(find: Find = {}): Promise<Row[]> {
    const { where, orderBy: order, take, distinct, ...selected } = find
    const parameters = new Parameters()
    const alias = parameters.alias()
    const { text, decode } = selection(this.table, alias, selected, parameters)
    const once = distinct ? `DISTINCT ON (${distinct.map((column) => `${alias}.${quoted(column)}`).join(', ')}) ` : ''
    const { rows } = await this.run({
      text:
        `SELECT ${once}${text} FROM ${quoted(this.table)} ${alias}` +
        ` WHERE ${condition(this.table, alias, where ?? {}, parameters)}${orderBy(this.table, alias, order)}` +
        (take === undefined ? '' : ` LIMIT ${parameters.add(take, 'Int')}`),
      values: parameters.values,
    })
    if (decode) for (const row of rows) decode(row)
    return rows
  }

  async findFirst(find: Find = {}): Promise<Row | null> {
    const [row] = await this.findMany({ ...find, take: 1 })
    return row ?? null
  }

  async findUnique(find: Find): Promise<Row | null> {
    const [row] = await this.findMany({ ...find, take: 1 })
    return row ?? null
  }

  async findFirstOrThrow(find: Find = {}): Promise<Row> {
    return this.there(await this.findFirst(find))
  }

  async findUniqueOrThrow(find: Find): Promise<Row> {
    return this.there(await this.findUnique(find))
  }

  async create({ data, ...selected }: { data: Data } & Selected): Promise<Row> {
    const parameters = new Parameters()
    const alias = parameters.alias()
    return this.there(await this.returned(alias, selected, parameters, this.insert(alias, [data], parameters)))
  }

  async createMany({ data, skipDuplicates = false }: { data: Data | readonly Data[]; skipDuplicates?: boolean }) {
    const rows = (Array.isArray(data) ? data : [data]) as readonly Data[]
    if (rows.length === 0) return { count: 0 }
    const parameters = new Parameters()
    const text = this.insert(parameters.alias(), rows, parameters) + (skipDuplicates ? ' ON CONFLICT DO NOTHING' : '')
    return { count: (await this.run({ text, values: parameters.values })).rowCount ?? 0 }
  }

  /** Updates one row and returns it. If `data` is empty, only reads the row. */
  async update({ where, data, ...selected }: { where: Where; data: Data } & Selected): Promise<Row> {
    if (isEmpty(data)) return this.findFirstOrThrow({ where, ...selected })
    const parameters = new Parameters()
    const alias = parameters.alias()
    return this.there(await this.returned(alias, selected, parameters, this.change(alias, where, data, parameters)))
  }

  async updateMany({ where = {}, data }: { where?: Where; data: Data }): Promise<{ count: number }> {
    const parameters = new Parameters()
    const text = this.change(parameters.alias(), where, data, parameters)
    return { count: (await this.run({ text, values: parameters.values })).rowCount ?? 0 }
  }

  async upsert(asked: { where: Where; create: Data; update: Data } & Selected): Promise<Row> {
    const { where, create, update, ...selected } = asked
    const parameters = new Parameters()
    const alias = parameters.alias()
    const { keys } = shapeOf(this.table)
    const key = Object.keys(where).flatMap((name) => keys[name] ?? name)
    const [first = ''] = key
    // An upsert without changes assigns a column to itself, so that PostgreSQL returns the row.
    const same = isEmpty(update) ? `${quoted(first)} = ${alias}.${quoted(first)}` : null
    const text =
      `${this.insert(alias, [create], parameters)} ON CONFLICT (${key.map(quoted).join(', ')})` +
      ` DO UPDATE SET ${same ?? this.assignments(alias, update, parameters)}`
    return this.there(await this.returned(alias, selected, parameters, text))
  }

  async delete({ where, ...selected }: { where: Where } & Selected): Promise<Row> {
    const parameters = new Parameters()
    const alias = parameters.alias()
    return this.there(await this.returned(alias, selected, parameters, this.remove(alias, where, parameters)))
  }

  async deleteMany({ where = {} }: { where?: Where } = {}): Promise<{ count: number }> {
    const parameters = new Parameters()
    const text = this.remove(parameters.alias(), where, parameters)
    return { count: (await this.run({ text, values: parameters.values })).rowCount ?? 0 }
  }

  async count({ where = {} }: { where?: Where } = {}): Promise<number> {
    const [row] = await this.aggregated({ where, _count: true })
    return row?._count as number
  }

  async aggregate(asked: Aggregate): Promise<Row> {
    return this.there((await this.aggregated(asked))[0] ?? null)
  }

  groupBy(asked: Aggregate & { readonly by: readonly string[] }): Promise<Row[]> {
    return this.aggregated(asked)
  }

  private async aggregated({ where = {}, by = [], orderBy: order, _count, ...columns }: Aggregate): Promise<Row[]> {
    const parameters = new Parameters()
    const alias = parameters.alias()
    const groups = by.map((column) => `${alias}.${quoted(column)}`)
    const asked = Object.entries(columns).flatMap(([kind, chosen]) =>
      Object.keys(chosen ?? {}).map((column) => ({ kind, column, text: this.total(alias, kind, column) })),
    )
    const results = asked.map(({ text }, index) => `${text} AS "result_${index}"`)
    const { rows } = await this.run({
      text:
        `SELECT ${[...groups, ...(_count ? ['count(*)::int AS "_count"'] : []), ...results].join(', ')}` +
        ` FROM ${quoted(this.table)} ${alias} WHERE ${condition(this.table, alias, where, parameters)}` +
        (groups.length > 0 ? ` GROUP BY ${groups.join(', ')}` : '') +
        orderBy(this.table, alias, order),
      values: parameters.values,
    })
    return rows.map((row) => {
      const result: Row = Object.fromEntries([...by, ...(_count ? ['_count'] : [])].map((name) => [name, row[name]]))
      asked.forEach(({ kind, column }, index) => {
        result[kind] = { ...(result[kind] as Row | undefined), [column]: row[`result_${index}`] }
      })
      return result
    })
  }

  private total(alias: string, kind: string, column: string): string {
    const name = `${alias}.${quoted(column)}`
    const type = columnType(shapeOf(this.table), column)
    if (kind === '_min' || kind === '_max') return `${kind.slice(1)}(${name})`
    if (kind === '_sum' && type === 'BigInt') return `sum(${name})::int8`
    if (kind === '_sum' && type === 'Int') return `sum(${name})::float8`
    throw new UnsupportedQuery(`There is no ${kind} of ${this.table}.${column}.`)
  }

  /** All rows of one INSERT have the same columns, so a column that a row lacks is set to its default. */
  private insert(alias: string, rows: readonly Data[], parameters: Parameters): string {
    const shape = shapeOf(this.table)
    const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== undefined)))]
    const values = rows.map((row) => {
      const each = names.map((name) =>
        row[name] === undefined ? 'DEFAULT' : parameters.add(row[name], columnType(shape, name)),
      )
      return `(${each.join(', ')})`
    })
    return `INSERT INTO ${quoted(this.table)} AS ${alias} (${names.map(quoted).join(', ')}) VALUES ${values.join(', ')}`
  }

  private change(alias: string, where: Where, data: Data, parameters: Parameters): string {
    const set = this.assignments(alias, data, parameters)
    return `UPDATE ${quoted(this.table)} ${alias} SET ${set} WHERE ${condition(this.table, alias, where, parameters)}`
  }

  private remove(alias: string, where: Where, parameters: Parameters): string {
    return `DELETE FROM ${quoted(this.table)} ${alias} WHERE ${condition(this.table, alias, where, parameters)}`
  }

  private assignments(alias: string, data: Data, parameters: Parameters): string {
    const shape = shapeOf(this.table)
    const sets = Object.entries(data).flatMap(([name, value]) => {
      if (value === undefined) return []
      const type = columnType(shape, name)
      const added = (value as { increment?: unknown } | null)?.increment
      return added !== undefined && type !== 'Json'
        ? `${quoted(name)} = ${alias}.${quoted(name)} + ${parameters.add(added, type)}`
        : `${quoted(name)} = ${parameters.add(value, type)}`
    })
    if (sets.length === 0) throw new UnsupportedQuery('Nothing is changed.')
    return sets.join(', ')
  }

  private async returned(alias: string, selected: Selected, parameters: Parameters, change: string) {
    const { text, decode } = selection(this.table, alias, selected, parameters)
    const { rows } = await this.run({ text: `${change} RETURNING ${text}`, values: parameters.values })
    const row = rows[0] ?? null
    if (row) decode?.(row)
    return row
  }

  private there(row: Row | null): Row {
    if (!row) throw new RowNotFound(this.table)
    return row
  }
}
