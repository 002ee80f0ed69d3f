import fc from 'fast-check'

/** This file generates values from a JSON Schema. Most values are valid, but any part of a value can be invalid. */

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

const hostileTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud83d',
    '\udc00',
    '\u202e',
    '\ufeff',
    '%00',
    '%',
    '../..',
    '__proto__',
    'constructor',
  ],
  ...[
    "' OR 1=1 --",
    '{{7*7}}',
    '<script>',
    '\r\nX: 1',
    'null',
    'NaN',
    'x'.repeat(300),
    'ß'.repeat(5000),
    '🏴‍☠️'.repeat(60),
  ],
  ...[
    '1e400',
    '-0.00',
    '99999999999999999999.99',
    '0.001',
    '2027-02-30',
    '+275760-09-13T00:00:00Z',
    '0000-00-00T00:00:00Z',
  ],
]

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, -1e-7, 2 ** 53, [], {}, [[[[]]]], { __proto__: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
)

export function fromSchema(schema: Schema, known: (pattern: string) => readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: keeping(schema, known) }, { weight: 1, arbitrary: hostile })
}

function keeping(schema: Schema, known: (pattern: string) => readonly string[]): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, known)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const { minimum = -1000, maximum = 1_000_000 } = schema
  switch (schema.type) {
    case 'string':
      return textOf(schema, known)
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum, maximum + 1))
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = 5, items = {} } = schema
      return fc.array(fromSchema(items, known), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) })
    }
    case 'object':
      return objectOf(schema, known)
    default:
      return hostile
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  known: (pattern: string) => readonly string[],
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, each]) => [name, fromSchema(each, known)] as const)
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
  if (fields.length > 0) return record
  const more = typeof additionalProperties === 'object' ? fromSchema(additionalProperties, known) : hostile
  return fc.dictionary(fc.oneof(fc.string({ maxLength: 45 }), fc.constantFrom('__proto__', 'a', '')), more, {
    maxKeys: 6,
  })
}

function textOf(
  { pattern, format, minLength = 0, maxLength = 400 }: Schema,
  known: (pattern: string) => readonly string[],
): fc.Arbitrary<string> {
  const chosen = pattern === undefined ? [] : known(pattern)
  if (chosen.length > 0) return fc.constantFrom(...chosen)
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength))
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'date') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
  return fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 40) })
}
