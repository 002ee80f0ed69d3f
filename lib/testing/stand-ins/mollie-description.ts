import * as models from 'mollie-api-typescript/models'
import * as operations from 'mollie-api-typescript/models/operations'
import { startCountingUnrecognized } from 'mollie-api-typescript/types/unrecognized.js'
import type { Answer, Asked } from './stand-in.ts'

/**
 * This file uses Mollie's description of its API: the schemas in Mollie's client library, which Mollie generates from
 * its OpenAPI description.
 */

type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { issues: readonly { path: PropertyKey[]; message: string }[] } }

interface Shape {
  safeParse(value: unknown): Parsed
}

interface Described {
  readonly route: RegExp
  readonly query?: Shape
  readonly body?: Shape
  readonly response: Shape | null
}

const id = '[a-z]+_[A-Za-z0-9]+'
const on = (method: string, path: string) => new RegExp(`^${method} /v2/${path.replaceAll(':id', id)}$`)

const paged = (shape: Shape): Shape => ({
  safeParse(value) {
    const parsed = shape.safeParse({ Result: value })
    return parsed.success ? { ...parsed, data: (parsed.data as { result: unknown }).result } : parsed
  },
})

const requests: readonly Described[] = [
  {
    route: on('POST', 'payments'),
    body: models.PaymentRequest$outboundSchema,
    response: models.PaymentResponse$inboundSchema,
  },
  {
    route: on('GET', 'payments'),
    query: operations.ListPaymentsRequest$outboundSchema,
    response: paged(operations.ListPaymentsResponse$inboundSchema),
  },
  { route: on('(?:GET|DELETE)', 'payments/:id'), response: models.PaymentResponse$inboundSchema },
  {
    route: on('POST', 'payments/:id/refunds'),
    body: models.RefundRequest$outboundSchema,
    response: models.RefundResponse$inboundSchema,
  },
  { route: on('GET', 'payments/:id/refunds/:id'), response: models.RefundResponse$inboundSchema },
  { route: on('DELETE', 'payments/:id/refunds/:id'), response: null },
  { route: on('GET', 'payments/:id/refunds'), response: paged(operations.ListRefundsResponse$inboundSchema) },
  { route: on('GET', 'payments/:id/chargebacks/:id'), response: models.EntityChargeback$inboundSchema },
  { route: on('GET', 'payments/:id/chargebacks'), response: paged(operations.ListChargebacksResponse$inboundSchema) },
  { route: on('GET', 'refunds'), response: paged(operations.ListAllRefundsResponse$inboundSchema) },
  { route: on('GET', 'chargebacks'), response: paged(operations.ListAllChargebacksResponse$inboundSchema) },
  {
    route: on('POST', 'customers'),
    body: models.EntityCustomer$outboundSchema,
    response: models.CustomerResponse$inboundSchema,
  },
  { route: on('DELETE', 'customers/:id'), response: null },
  {
    route: on('GET', 'customers/:id/payments'),
    response: paged(operations.ListCustomerPaymentsResponse$inboundSchema),
  },
  { route: on('GET', 'customers/:id/mandates/:id'), response: models.MandateResponse$inboundSchema },
  { route: on('DELETE', 'customers/:id/mandates/:id'), response: null },
  { route: on('GET', 'customers/:id/mandates'), response: paged(operations.ListMandatesResponse$inboundSchema) },
  {
    route: on('GET', 'methods'),
    query: operations.ListMethodsRequest$outboundSchema,
    response: operations.ListMethodsResponse$inboundSchema,
  },
  { route: on('GET', 'settlements'), response: paged(operations.ListSettlementsResponse$inboundSchema) },
  {
    route: on('GET', 'settlements/:id/payments'),
    response: paged(operations.ListSettlementPaymentsResponse$inboundSchema),
  },
  {
    route: on('GET', 'settlements/:id/refunds'),
    response: paged(operations.ListSettlementRefundsResponse$inboundSchema),
  },
  {
    route: on('GET', 'settlements/:id/chargebacks'),
    response: paged(operations.ListSettlementChargebacksResponse$inboundSchema),
  },
  { route: on('GET', 'permissions'), response: operations.ListPermissionsResponse$inboundSchema },
]

/** The values that Mollie accepts in a request. They are checked here, because the client library accepts any text. */
const values: Readonly<Record<string, Shape>> = {
  method: models.MethodResponse$inboundSchema,
  sequenceType: models.SequenceTypeResponse$inboundSchema,
  locale: models.LocaleResponse$inboundSchema,
}

/**
 * Returns the differences between a request with its response and Mollie's description. The content of a refused
 * request is not compared.
 */
export function violationsOf(asked: Asked, answer: Answer): string[] {
  const request = `${asked.method} ${asked.pathname}`
  const described = requests.find(({ route }) => route.test(request))
  if (!described) return [`${request} is not described`]
  const said = (what: string, found: readonly string[]) => found.map((each) => `${request}: ${what} ${each}`)
  const isRefused = answer.status >= 400
  return [
    ...(isRefused ? [] : said('the query', inQuery(described, asked))),
    ...(isRefused ? [] : said('the body', inBody(described, asked))),
    ...said('the answer', inAnswer(described, answer)),
  ]
}

function inQuery({ query = operations.ListPaymentsRequest$outboundSchema }: Described, asked: Asked): string[] {
  const given: Record<string, unknown> = {}
  for (const [name, value] of asked.query) {
    const [, of, part] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (of && part) given[of] = { ...(given[of] as object), [part]: value }
    else given[name] = name === 'limit' ? Number(value) : value
  }
  return [...inShape(query, given), ...inValues(given)]
}

/** Adds `redirectUrl` to a recurring payment: the description requires the field, but its text says that the field can be omitted. */
function inBody({ body }: Described, asked: Asked): string[] {
  if (!body) return asked.body === '' ? [] : ['is not described']
  const given = JSON.parse(asked.body)
  const complete = given.sequenceType === 'recurring' ? { redirectUrl: null, ...given } : given
  return [...inShape(body, complete), ...inValues(given)]
}

function inAnswer({ response }: Described, { status, body }: Answer): string[] {
  if (status >= 400) return inShape(refusal, body)
  if (response === null) return status === 204 ? [] : [`has the status ${status}`]
  return inShape(response, body)
}

const refusal: Shape = {
  safeParse(value) {
    const { status, title, detail } = value as Record<string, unknown>
    const isOne = typeof status === 'number' && typeof title === 'string' && typeof detail === 'string'
    return isOne
      ? { success: true, data: value }
      : { success: false, error: { issues: [{ path: [], message: 'is no error of Mollie’s' }] } }
  },
}

const inValues = (given: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(values).flatMap(([name, shape]) => (name in given ? inShape(shape, given[name]) : []))

function inShape(shape: Shape, value: unknown): string[] {
  const counting = startCountingUnrecognized()
  const parsed = shape.safeParse(value)
  const unknown = counting.end()
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `has ${path.join('.')}: ${message}`)
  const added = addedTo(value, parsed.data).map((path) => `has ${path}, which is not described`)
  return unknown > 0 ? [...added, `has ${unknown} values that are not described`] : added
}

/**
 * Returns the fields that the client library dropped from a value. A field that the library only renamed, by removing
 * the leading underscore, does not count as dropped.
 */
function addedTo(value: unknown, read: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    const items = Array.isArray(read) ? read : []
    return value.flatMap((each, index) => addedTo(each, items[index], `${path}[]`))
  }
  if (typeof value !== 'object' || value === null) return []
  if (typeof read !== 'object' || read === null) return [path]
  return Object.entries(value).flatMap(([name, each]) => {
    const found = [name, name.replace(/^_/, '')].find((known) => known in read)
    const below = path === '' ? name : `${path}.${name}`
    return found === undefined ? [below] : addedTo(each, (read as Record<string, unknown>)[found], below)
  })
}
