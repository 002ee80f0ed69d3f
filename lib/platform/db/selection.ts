import { columnType, joined, type Parameters, quoted, shapeOf, UnsupportedQuery } from './condition.ts'
import type { ColumnType, Relation } from './table-shape.ts'

/** Prisma's `select` or `include`. If both are omitted, a query returns all columns. */
export interface Selected {
  readonly select?: Readonly<Record<string, unknown>> | undefined
  readonly include?: Readonly<Record<string, unknown>> | undefined
}

export type Row = Record<string, unknown>

export interface Selection {
  readonly text: string
  readonly decode: ((row: Row) => void) | null
}

type Decode = (value: unknown) => unknown

interface Field {
  readonly name: string
  readonly text: string
  readonly decode: Decode | null
}

/** Related rows are selected in the same statement, as JSON lists of values in the order of the columns. */
export function selection(table: string, alias: string, selected: Selected, parameters: Parameters): Selection {
  const { select, include, ...others } = selected
  const [other] = Object.keys(others)
  if (other) throw new UnsupportedQuery(`Queries have no ${other}.`)
  if (select && include) throw new UnsupportedQuery('A query has select or include.')
  const columns = columnsOf(table, selected).map((column) => `${alias}.${quoted(column)}`)
  const related = relationsOf(table, selected).map(([name, relation, chosen]) =>
    relatedField(name, relation, alias, chosen, parameters),
  )
  const text = [...columns, ...related.map(({ name, text }) => `${text} AS ${quoted(name)}`)].join(', ')
  if (related.length === 0) return { text, decode: null }
  return {
    text,
    decode: (row) => {
      for (const { name, decode } of related) row[name] = decode?.(row[name])
    },
  }
}

function columnsOf(table: string, { select }: Selected): string[] {
  if (select) {
    const { relations } = shapeOf(table)
    return Object.keys(select).filter((name) => select[name] === true && !(name in relations))
  }
  return Object.keys(shapeOf(table).columns)
}

function relationsOf(table: string, { select, include }: Selected): [string, Relation, Selected][] {
  const { relations } = shapeOf(table)
  return Object.entries(select ?? include ?? {}).flatMap(([name, chosen]) => {
    const relation = relations[name]
    if (include && !relation) throw new UnsupportedQuery(`There is no relation ${table}.${name}.`)
    return relation && chosen ? [[name, relation, chosen === true ? {} : (chosen as Selected)]] : []
  })
}

function relatedField(
  name: string,
  relation: Relation,
  alias: string,
  chosen: Selected & { readonly orderBy?: unknown; readonly where?: unknown; readonly take?: unknown },
  parameters: Parameters,
): Field {
  if (chosen.where !== undefined || chosen.take !== undefined)
    throw new UnsupportedQuery('Related rows are all or none.')
  const { table, isMany } = relation
  const there = parameters.alias()
  const fields = [
    ...columnsOf(table, chosen).map((column) => jsonField(table, there, column)),
    ...relationsOf(table, chosen).map(([name, relation, chosen]) =>
      relatedField(name, relation, there, chosen, parameters),
    ),
  ]
  const row = `json_build_array(${fields.map(({ text }) => text).join(', ')})`
  const from = `FROM ${quoted(table)} ${there} WHERE ${joined(relation, alias, there)}`
  const order = orderBy(table, there, chosen.orderBy)
  const text = isMany ? `(SELECT json_agg(${row}${order}) ${from})` : `(SELECT ${row} ${from})`
  const toRow = (values: unknown[]): Row => {
    const row: Row = {}
    fields.forEach(({ name, decode }, index) => {
      row[name] = decode ? decode(values[index]) : values[index]
    })
    return row
  }
  const toRows: Decode = (value) => (value as unknown[][] | null)?.map(toRow) ?? []
  const toOne: Decode = (value) => (value === null ? null : toRow(value as unknown[]))
  return { name, text, decode: isMany ? toRows : toOne }
}

const inJson: Partial<Record<ColumnType, { readonly text: (name: string) => string; readonly decode: Decode }>> = {
  BigInt: { text: (name) => `${name}::text`, decode: (value) => BigInt(value as string) },
  DateTime: { text: (name) => name, decode: (value) => new Date(value as string) },
  Bytes: { text: (name) => `encode(${name}, 'hex')`, decode: (value) => Buffer.from(value as string, 'hex') },
}

function jsonField(table: string, alias: string, column: string): Field {
  const name = `${alias}.${quoted(column)}`
  const form = inJson[columnType(shapeOf(table), column)]
  if (!form) return { name: column, text: name, decode: null }
  return { name: column, text: form.text(name), decode: (value) => (value === null ? null : form.decode(value)) }
}

type Direction = 'asc' | 'desc'
type Order = Readonly<Record<string, Direction | { readonly sort: Direction; readonly nulls?: 'first' | 'last' }>>

export function orderBy(table: string, alias: string, order: unknown): string {
  const orders = (Array.isArray(order) ? order : order ? [order] : []) as Order[]
  const terms = orders.flatMap(Object.entries<Order[string] | undefined>).flatMap(([column, direction]) => {
    if (direction === undefined) return []
    columnType(shapeOf(table), column)
    const { sort, nulls } = typeof direction === 'string' ? { sort: direction } : direction
    const last = nulls === undefined ? '' : nulls === 'last' ? ' NULLS LAST' : ' NULLS FIRST'
    return `${alias}.${quoted(column)} ${sort === 'desc' ? 'DESC' : 'ASC'}${last}`
  })
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`
}
