import { idPrefixes, type Schema } from './schema.ts'

/** Each example id consists of a prefix and this text. */
const idRest = '0Q4mT7xZ2bK9cR5vN8wYhA'

/** Examples for fields whose schema has no example, by a pattern for the field name. */
const examples: readonly (readonly [RegExp, string])[] = [
  [/email$/i, 'buyer@example.com'],
  [/url/i, 'https://example.com/'],
  [/^secret$/, 'choose your own secret'],
  [/^by$/, 'P1M'],
  [/^country$/, 'DE'],
]

/** A short value that fits a schema. An object has its required fields, or its first field if no field is required. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const [given = schema.const ?? schema.enum?.[0] ?? schema.default] = schema.examples ?? []
  if (given !== undefined) return given
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], name)
  if (schema.items) return [exampleOf(schema.items, name)]
  if (schema.properties) return objectOf(schema.properties, schema.required ?? [])
  if (schema.type === 'object') return {}
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return true
  return textOf(schema, name)
}

function objectOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]) {
  const fields = Object.entries(properties)
  const shown = required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 1)
  return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, name)]))
}

function textOf({ pattern = '', format }: Schema, name: string): string {
  const [prefix] = idPrefixes(pattern) ?? []
  if (prefix !== undefined) return `${prefix}${idRest}`
  if (format === 'date-time') return '2030-01-31T09:00:00Z'
  return examples.find(([ending]) => ending.test(name))?.[1] ?? 'Example'
}

interface Call {
  readonly method: string
  readonly path: string
  readonly pathParameters: readonly { readonly name: string; readonly schema: Schema }[]
  readonly body: Schema | null
}

/** The call as a shell command. The command uses the variables `BILLHOOK` (the address of the service) and `KEY`. */
export function curlOf({ method, path, pathParameters, body }: Call): string {
  const filled = pathParameters.reduce(
    (address, { name, schema }) => address.replace(`{${name}}`, String(exampleOf(schema, name))),
    path,
  )
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BILLHOOK${filled}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(exampleOf(body), null, 2)}'`] : []),
  ]
  return lines.join(' \\\n  ')
}
