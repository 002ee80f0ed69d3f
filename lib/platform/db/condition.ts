import { tables } from '../../../prisma/client/tables.ts'
import type { ColumnType, Relation, TableShape } from './table-shape.ts'

export class UnsupportedQuery extends Error {}

export class Parameters {
  readonly values: unknown[] = []
  private aliases = 0

  add(value: unknown, type: ColumnType): string {
    return `$${this.values.push(encoded(value, type))}`
  }

  alias(): string {
    return `t${this.aliases++}`
  }
}

function encoded(value: unknown, type: ColumnType): unknown {
  if (value === null) return null
  if (type === 'Json') return JSON.stringify(value)
  return Array.isArray(value) ? value.map(sent) : sent(value)
}

/** Times are sent in UTC, because the driver would use the process's time zone, in which the day may differ. */
export const sent = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

export const quoted = (name: string): string => `"${name}"`

export function shapeOf(table: string): TableShape {
  const shape = tables[table]
  if (!shape) throw new UnsupportedQuery(`There is no table ${table}.`)
  return shape
}

export function columnType(shape: TableShape, column: string): ColumnType {
  const type = shape.columns[column]
  if (!type) throw new UnsupportedQuery(`There is no column ${column}.`)
  return type
}

type Where = Readonly<Record<string, unknown>>

/**
 * The SQL condition of a Prisma `where`. Throws `UnsupportedQuery`.
 *
 * If a column such as `id` selects few rows, PostgreSQL must use the index of this column, because an index of the tenant is slow for a large
 * storefront. The part of the condition for the tenant is therefore written as `(…) IS TRUE`, which no index supports.
 */
export function condition(table: string, alias: string, where: Where, parameters: Parameters): string {
  const shape = shapeOf(table)
  const scope = { table, shape, alias, parameters }
  const isNamed = naming.some(
    (column) => shape.leading.includes(column) && [where, ...alsoOf(where)].some((each) => namesRows(each[column])),
  )
  const parts: string[] = []
  const ofOwner: string[] = []
  for (const [name, value] of Object.entries(where)) {
    if (value === undefined) continue
    const list = isNamed && owning.has(name) ? ofOwner : parts
    list.push(part(scope, name, value))
  }
  if (ofOwner.length > 0) parts.push(`(${ofOwner.join(' AND ')}) IS TRUE`)
  return parts.length === 0 ? 'true' : parts.join(' AND ')
}

/** Columns in which few rows share a value. */
const naming = [
  'id',
  'customer_id',
  'subscription_plan_id',
  'checkout_id',
  'order_id',
  'subscription_id',
  'mandate_id',
  'entity_id',
  'provider_ref',
]
const owning = new Set(['storefront_id', 'testmode'])

const alsoOf = ({ AND: also = [] }: Where): readonly Where[] => (Array.isArray(also) ? also : [also as Where])

const namesRows = (value: unknown): boolean => typeof value === 'string' || (isPlain(value) && value.in !== undefined)

interface Scope {
  readonly table: string
  readonly shape: TableShape
  readonly alias: string
  readonly parameters: Parameters
}

function part(scope: Scope, name: string, value: unknown): string {
  const { table, shape, alias, parameters } = scope
  if (name === 'AND' || name === 'OR' || name === 'NOT') return combined(scope, name, value)
  if (name in shape.columns) return columnPart(scope, name, value)
  const relation = shape.relations[name]
  if (relation) return relationPart(scope, relation, value)
  const key = shape.keys[name]
  if (key) return condition(table, alias, pick(value as Where, key), parameters)
  throw new UnsupportedQuery(`There is no column ${table}.${name}.`)
}

function combined({ table, alias, parameters }: Scope, name: 'AND' | 'OR' | 'NOT', value: unknown): string {
  const each = (Array.isArray(value) ? value : [value]).map(
    (where: Where) => `(${condition(table, alias, where, parameters)})`,
  )
  if (name === 'OR') return each.length === 0 ? 'false' : `(${each.join(' OR ')})`
  const all = each.map((condition) => (name === 'NOT' ? `NOT ${condition}` : condition))
  return all.length === 0 ? 'true' : all.join(' AND ')
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function columnPart(scope: Scope, column: string, filter: unknown): string {
  if (!isPlain(filter)) return compared(scope, column, 'equals', filter)
  const parts = Object.entries(filter).flatMap(([operator, value]) =>
    value === undefined ? [] : compared(scope, column, operator, value),
  )
  return parts.length === 0 ? 'true' : parts.join(' AND ')
}

const infix: Readonly<Record<string, string>> = {
  equals: '=',
  not: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  hasSome: '&&',
}

function compared(scope: Scope, column: string, operator: string, value: unknown): string {
  const name = `${scope.alias}.${quoted(column)}`
  if (operator === 'not' && isPlain(value)) return `NOT (${columnPart(scope, column, value)})`
  if (value === null && operator === 'equals') return `${name} IS NULL`
  if (value === null && operator === 'not') return `${name} IS NOT NULL`
  if (operator === 'isEmpty') return `${name} ${value ? '=' : '<>'} '{}'`
  if (operator === 'in' && isShort(value) && columnType(scope.shape, column) === 'String')
    return `${name} = ANY(ARRAY[${padded(value).map((each) => scope.parameters.add(each, 'String'))}])`
  const parameter = scope.parameters.add(value, columnType(scope.shape, column))
  const symbol = infix[operator]
  if (symbol) return `${name} ${symbol} ${parameter}`
  switch (operator) {
    case 'in':
      return `${name} = ANY(${parameter})`
    case 'notIn':
      return `${name} <> ALL(${parameter})`
    case 'has':
      return `${parameter} = ANY(${name})`
    case 'startsWith':
      return `starts_with(${name}, ${parameter})`
    case 'contains':
      return `strpos(${name}, ${parameter}) > 0`
    default:
      throw new UnsupportedQuery(`There is no filter ${operator}.`)
  }
}

/**
 * Whether a list is sent as one parameter per value. PostgreSQL assumes that a list in one parameter has ten values, so
 * a custom plan for two values would look cheaper than the generic plan. PostgreSQL would then plan every call again.
 */
const isShort = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 8

/** Pads a list to 1, 2, 4, or 8 values, to limit the number of statement texts. */
const padded = (values: readonly unknown[]): readonly unknown[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(values.length)) }, (_, index) => values[index] ?? values.at(-1))

function relationPart({ alias, parameters }: Scope, relation: Relation, value: unknown): string {
  const asked = value as Where
  const [quantifier = '', ...others] = relation.isMany || 'is' in asked ? Object.keys(asked) : ['is']
  if (others.length > 0) throw new UnsupportedQuery('A relation is filtered in one way.')
  const where = (quantifier in asked ? asked[quantifier] : asked) as Where
  const there = parameters.alias()
  const matches = `(${condition(relation.table, there, where, parameters)})`
  const rows = (condition: string) =>
    `EXISTS (SELECT 1 FROM ${quoted(relation.table)} ${there} WHERE ${joined(relation, alias, there)} AND ${condition})`
  switch (quantifier) {
    case 'is':
    case 'some':
      return rows(matches)
    case 'none':
      return `NOT ${rows(matches)}`
    case 'every':
      return `NOT ${rows(`NOT ${matches}`)}`
    default:
      throw new UnsupportedQuery(`There is no filter ${quantifier} of a relation.`)
  }
}

export const joined = ({ on }: Relation, here: string, there: string): string =>
  on.map(([own, other]) => `${there}.${quoted(other)} = ${here}.${quoted(own)}`).join(' AND ')

function pick(where: Where, columns: readonly string[]): Where {
  if (columns.some((column) => where[column] === undefined)) throw new UnsupportedQuery('A key lacks a column.')
  return where
}
