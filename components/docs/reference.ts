import { curlOf } from './example.ts'
import { type Field, fieldOf, fieldsOf, nameOfShape, type Schema } from './schema.ts'
import { unionsAsShapes } from './union.ts'

/** The parts of an OpenAPI 3.1 document that the API reference uses. */
export interface Document {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Sent>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Sent {
  readonly tags: readonly string[]
  readonly summary: string
  readonly requestBody: { readonly content: Content }
}

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }

export interface Shape {
  readonly name: string
  readonly fields: readonly Field[]
}

export interface Refused {
  readonly status: string
  readonly code: string
  readonly text: string
}

export interface Answer {
  readonly status: string
  /** The schema of the response or of its list items. Null for a response without a named schema or without a body. */
  readonly shape: string | null
  readonly isList: boolean
  readonly fields: readonly Field[]
  /** A response as JSON that a test recorded; null if the response has no body. */
  readonly example: string | null
}

export interface SentEvent {
  readonly name: string
  readonly text: string
  /** A payload as JSON that a test recorded. */
  readonly example: string
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly text: string
  readonly parameters: readonly (Field & { readonly place: string })[]
  readonly body: { readonly isRequired: boolean; readonly fields: readonly Field[] } | null
  readonly answers: readonly Answer[]
  readonly refused: readonly Refused[]
  readonly curl: string
}

export interface Noun {
  readonly slug: string
  readonly name: string
  readonly operations: readonly Operation[]
  readonly shapes: readonly Shape[]
}

export interface Reference {
  readonly text: string
  readonly nouns: readonly Noun[]
  readonly events: readonly SentEvent[]
  /** Schemas that several resources use. */
  readonly shapes: readonly Shape[]
  /** The error codes common to all operations, and the codes common to all operations that change data. */
  readonly refused: { readonly byAll: readonly Refused[]; readonly byChanges: readonly Refused[] }
}

export function referenceOf(document: Document): Reference {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byAll = common(described.map(({ operation }) => refusedBy(operation)))
  const changes = described.filter(({ method }) => method !== 'GET').map(({ operation }) => refusedBy(operation))
  const byChanges = without(common(changes), byAll)
  const names = inOrder(new Set(described.map(({ operation }) => operation.tags[0] ?? '')))
  const schemas = unionsAsShapes(document.components.schemas)
  const places = placesOf(document, schemas, described)
  const shapesAt = (noun: string | null) =>
    Object.entries(schemas)
      .filter(([name]) => (places.get(name) ?? null) === noun)
      .map(([name, schema]) => ({ name, fields: fieldsOf(schema) }))
  const nouns = names.map((name) => ({
    slug: slugOf(name),
    name,
    operations: described
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ path, method, operation }) => operationOf(path, method, operation, [...byAll, ...byChanges])),
    shapes: shapesAt(name),
  }))
  const events = Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.values(methods).map(({ summary, requestBody }) => ({
      name,
      text: summary,
      example: JSON.stringify(requestBody.content['application/json'].example, null, 2),
    })),
  )
  return { text: document.info.description, nouns, events, shapes: shapesAt(null), refused: { byAll, byChanges } }
}

/** The resources in the order in which a merchant needs them. */
const order = [
  'Subscription plans',
  'One-off products',
  'Checkouts',
  'Payment links',
  'Customers',
  'Subscriptions',
  'Orders',
  'Refunds',
  'Chargebacks',
  'Webhooks',
  'Test helpers',
]

const inOrder = (names: ReadonlySet<string>): string[] => [
  ...order.filter((name) => names.has(name)),
  ...[...names].filter((name) => !order.includes(name)),
]

const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-')

type Placed = { readonly operation: Described }

/**
 * Maps a schema to its resource. A schema that a webhook or an operation returns belongs to the resource of this webhook or operation. Any other schema belongs
 * to the resource of the schema that contains it, unless several schemas contain it.
 */
function placesOf(
  { webhooks }: Document,
  schemas: Document['components']['schemas'],
  described: readonly Placed[],
): Map<string, string> {
  const places = new Map<string, string>()
  for (const { tags, requestBody } of Object.values(webhooks).flatMap((each) => Object.values(each)))
    places.set(nameOfShape(requestBody.content['application/json'].schema.$ref ?? ''), tags[0] ?? '')
  for (const { operation } of described)
    for (const { shape } of answersOf(operation))
      if (shape && !places.has(shape)) places.set(shape, operation.tags[0] ?? '')
  const users = (name: string) =>
    Object.entries(schemas).filter(([, schema]) => JSON.stringify(schema).includes(`"#/components/schemas/${name}"`))
  for (const name of Object.keys(schemas)) {
    const [user, ...others] = users(name)
    const place = user && places.get(user[0])
    if (!places.has(name) && place !== undefined && others.length === 0) places.set(name, place)
  }
  return places
}

function operationOf(path: string, method: string, described: Described, elsewhere: readonly Refused[]): Operation {
  const { operationId, summary, description = '', parameters, requestBody } = described
  const body = requestBody?.content['application/json'].schema ?? null
  return {
    id: operationId,
    method,
    path,
    summary,
    text: description,
    parameters: parameters.map(({ name, in: place, required, description = '', schema }) => ({
      ...fieldOf(name, { description, ...schema }, required),
      place,
    })),
    body: body && { isRequired: requestBody?.required === true, fields: fieldsOf(body) },
    answers: answersOf(described),
    refused: without(refusedBy(described), elsewhere),
    curl: curlOf({ method, path, pathParameters: parameters.filter((each) => each.in === 'path'), body }),
  }
}

const isSuccess = (status: string): boolean => status.startsWith('2')

const answersOf = ({ responses }: Described): Answer[] =>
  Object.entries(responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { content }]) => {
      const schema = content?.['application/json'].schema ?? {}
      const listed = schema.properties?.data?.items?.$ref
      const ref = listed ?? schema.$ref
      const shape = ref === undefined ? null : nameOfShape(ref)
      const recorded = content?.['application/json'].example
      const example = recorded === undefined ? null : JSON.stringify(recorded, null, 2)
      return { status, shape, isList: listed !== undefined, fields: shape ? [] : fieldsOf(schema), example }
    })

/**
 * Reads the error codes of an operation. Each paragraph of a response's description explains one code: the code in backticks, a colon,
 * and its meaning.
 */
const refusedBy = ({ responses }: Described): Refused[] =>
  Object.entries(responses)
    .filter(([status]) => !isSuccess(status))
    .flatMap(([status, { description }]) =>
      description.split('\n\n').map((paragraph) => {
        const [, code = '', text = ''] = /^`(\w+)`: (.*)$/s.exec(paragraph) ?? []
        return { status, code, text }
      }),
    )

const has = (all: readonly Refused[], { code }: Refused): boolean => all.some((each) => each.code === code)

const common = (lists: readonly (readonly Refused[])[]): Refused[] =>
  (lists[0] ?? []).filter((each) => lists.every((list) => has(list, each)))

const without = (all: readonly Refused[], some: readonly Refused[]): Refused[] => all.filter((each) => !has(some, each))
