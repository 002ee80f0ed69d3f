import { nameOfShape, type Schema } from './schema.ts'

type Schemas = Readonly<Record<string, Schema>>

/**
 * Turns each union of named schemas, such as the union of all events, into one schema with the fields of its members. The members have no pages of their own,
 * because those pages would repeat the same fields.
 */
export function unionsAsShapes(schemas: Schemas): Schemas {
  const unions = Object.entries(schemas).flatMap(([name, { oneOf }]) =>
    oneOf ? [{ name, members: namesOf(oneOf) }] : [],
  )
  const members = new Set(unions.flatMap((union) => union.members))
  const merged = unions.map((union) => [union.name, mergedOf(union.members.map((name) => schemas[name] ?? {}))])
  const others = Object.entries(schemas).filter(([name]) => !members.has(name))
  return { ...Object.fromEntries(others), ...Object.fromEntries(merged) }
}

const namesOf = (oneOf: readonly Schema[]): string[] => oneOf.map(({ $ref = '' }) => nameOfShape($ref))

function mergedOf(members: readonly Schema[]): Schema {
  const names = [...new Set(members.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const properties = names.map((name) => {
    const fields = members.flatMap(({ properties }) => properties?.[name] ?? [])
    return [name, mergedField(fields)] as const
  })
  const required = names.filter((name) => members.every((member) => member.required?.includes(name)))
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

/** Merges a field that differs between the members: the result lists all constants or all types. */
function mergedField(fields: readonly Schema[]): Schema {
  const [first = {}, ...others] = [...new Map(fields.map((each) => [JSON.stringify(each), each])).values()]
  if (others.length === 0) return first
  const { description = '' } = first
  const all = [first, ...others]
  if (all.every((each) => each.const !== undefined))
    return { description, type: 'string', enum: all.map((each) => each.const) }
  return { description, anyOf: all }
}
