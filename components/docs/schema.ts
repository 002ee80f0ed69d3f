import { adminText as t } from '@/components/admin/text.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

export interface Field {
  readonly name: string
  readonly isRequired: boolean
  /** The type in words, such as `string or null`. A named schema is shown by its name. */
  readonly type: string
  /** The names of the schemas in `type`. */
  readonly shapes: readonly string[]
  /** The description, with code in backticks. Empty if the schema has no description. */
  readonly text: string
  /** The allowed values as JSON. Empty if any value is allowed. */
  readonly values: readonly string[]
  readonly rules: readonly string[]
  readonly fields: readonly Field[]
}

export const nameOfShape = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** The fields of an object, of the objects in an array, or of a nullable object. A reference to a named schema has no fields here. */
export function fieldsOf(schema: Schema): Field[] {
  const { properties = {}, required = [] } = schema
  const own = Object.entries(properties).map(([name, each]) => fieldOf(name, each, required.includes(name)))
  const below = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(fieldsOf)
  return [...own, ...below]
}

export const fieldOf = (name: string, schema: Schema, isRequired: boolean): Field => ({
  name,
  isRequired,
  type: typeOf(schema),
  shapes: [...new Set(shapesIn(schema))],
  text: schema.description ?? '',
  values: valuesOf(schema),
  rules: rulesOf(schema),
  fields: fieldsOf(schema),
})

function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOfShape(schema.$ref)
  if (schema.anyOf) return alternatives(schema.anyOf.map(typeOf))
  if (schema.items) return t('docs.arrayOf', { type: typeOf(schema.items) })
  if (schema.type === undefined) return alternatives((schema.enum ?? [schema.const]).map((value) => typeof value))
  return alternatives(typeof schema.type === 'string' ? [schema.type] : schema.type)
}

const alternatives = (types: readonly string[]): string => [...new Set(types)].join(t('docs.or'))

const parts = (schema: Schema): readonly Schema[] => [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]

const shapesIn = (schema: Schema): string[] =>
  schema.$ref ? [nameOfShape(schema.$ref)] : parts(schema).flatMap(shapesIn)

function valuesOf(schema: Schema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value))
  return parts(schema).flatMap(valuesOf)
}

function rulesOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, format } = schema
  type Unit = 'docs.characters' | 'docs.items'
  const bound = (
    key: 'docs.atLeast' | 'docs.atMost' | 'docs.from' | 'docs.to',
    count: number | undefined,
    unit?: Unit,
  ) => (count !== undefined ? [t(key, { value: unit ? t(unit, { count }) : count.toLocaleString('en') })] : [])
  return [
    ...(format ? [t('docs.format', { format })] : []),
    ...(pattern ? [patternRule(pattern)] : []),
    ...bound('docs.atLeast', minLength === 0 ? undefined : minLength, 'docs.characters'),
    ...bound('docs.atMost', maxLength, 'docs.characters'),
    ...bound('docs.atLeast', minItems, 'docs.items'),
    ...bound('docs.atMost', maxItems, 'docs.items'),
    ...bound('docs.from', minimum),
    ...bound('docs.to', maximum),
    ...(schema.default === undefined ? [] : [t('docs.default', { value: JSON.stringify(schema.default) })]),
    ...parts(schema).flatMap(rulesOf),
  ]
}

const idPattern = /^\^\(([a-z_|]+)\)\[0-9A-Za-z\]\{22\}\$$/

/** The prefixes of the ids that the pattern matches. Null if the pattern is not the pattern of an id. */
export const idPrefixes = (pattern: string): string[] | null => idPattern.exec(pattern)?.[1]?.split('|') ?? null

function patternRule(pattern: string): string {
  const prefixes = idPrefixes(pattern)
  return prefixes
    ? t('docs.prefix', { prefixes: prefixes.map((prefix) => `\`${prefix}\``).join(t('docs.or')) })
    : t('docs.pattern', { pattern })
}
