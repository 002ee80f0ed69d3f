import { Validator } from '@cfworker/json-schema'
import type { ApiError } from '../generated/operations.ts'
import { type Answer, errorBody, type Operation, operations, type Schema, type TestCall } from './contract.ts'

type Checked = { operation: Operation; call: TestCall } | { refused: Answer }

/** Checks a request in the same order as the service. */
export function check(request: Request, text: string): Checked {
  const url = new URL(request.url)
  const found = operations.map((operation) => ({ operation, params: match(operation.path, url.pathname) }))
  const onPath = found.filter(({ params }) => params !== null)
  if (onPath.length === 0) return refuse(404, 'endpoint_not_found', 'No operation has this path.')
  const [here] = onPath.filter(({ operation }) => operation.method === request.method)
  if (!here) return refuse(405, 'method_not_allowed', `${url.pathname} does not support ${request.method}.`)
  const { operation, params } = here
  const key = /^Bearer (test|live)_\S+$/.exec(request.headers.get('authorization') ?? '')
  if (!key) return refuse(401, 'unauthenticated', 'The API key is missing or malformed.')
  if (key[1] === 'live' && operation.path.startsWith('/v1/test-helpers/'))
    return refuse(403, 'test_mode_only', 'Test helpers need a key of test mode.')
  const query = Object.fromEntries(url.searchParams)
  const wrong = queryErrors(operation, query)
  const body = bodyOf(operation, text)
  if ('refused' in body) return body
  Object.assign(wrong, bodyErrors(operation, body.value))
  if (Object.keys(wrong).length > 0)
    return refuse(422, 'validation_failed', 'The request violates a rule. See errors for the fields.', wrong)
  const call = { id: operation.id, params: params ?? {}, query, body: body.value, headers: request.headers }
  return { operation, call }
}

/** The documented example, with the id of the path and with values of the request body. */
export function exampleFor({ example, status }: Operation, { params, body }: TestCall): Answer {
  const copy = structuredClone(example) as Record<string, unknown> | null
  if (copy && typeof copy === 'object') {
    for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
      if (name in copy && isSameKind(copy[name], value)) copy[name] = value
    }
    const last = Object.values(params).at(-1)
    if (last && typeof copy.id === 'string' && prefixOf(copy.id) === prefixOf(last)) copy.id = last
  }
  return { status, body: copy }
}

const prefixOf = (id: string) => id.slice(0, id.lastIndexOf('_'))
const isSameKind = (a: unknown, b: unknown) =>
  a === null || (typeof a === typeof b && Array.isArray(a) === Array.isArray(b))

const refuse = (status: number, code: ApiError['code'], message: string, errors?: ApiError['errors']) => ({
  refused: { status, body: errorBody(code, message, errors) },
})

function match(template: string, pathname: string): Record<string, string> | null {
  const parts = template.split('/')
  const given = pathname.split('/')
  if (parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = decodeURIComponent(given[index] ?? '')
    if (part.startsWith('{')) params[part.slice(1, -1)] = value
    else if (part !== value) return null
  }
  return params
}

function queryErrors({ query: known }: Operation, query: Record<string, string>): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(query)) {
    const schema = known[name]
    if (!schema) errors[name] = [`Unknown parameter. Supported: ${Object.keys(known).join(', ') || 'none'}.`]
    else if (!isValid(schema, typed(value, schema))) errors[name] = ['The value has a wrong form.']
  }
  if (query.startingAfter && query.endingBefore) errors.endingBefore = ['Use one of startingAfter and endingBefore.']
  return errors
}

function typed(value: string, { type }: Schema): unknown {
  if (type === 'integer') return /^\d+$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}

const isValid = (schema: Schema, value: unknown) => new Validator(schema, '2020-12').validate(value).valid

function bodyOf({ body, isBodyRequired }: Operation, text: string): { value: unknown } | { refused: Answer } {
  if (body === null || (text === '' && !isBodyRequired)) return { value: undefined }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(400, 'malformed_json', 'The body is not valid JSON.')
  }
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isObject ? { value } : refuse(400, 'not_an_object', 'The body is not a JSON object.')
}

function bodyErrors({ body }: Operation, value: unknown): Record<string, string[]> {
  if (body === null || value === undefined) return {}
  const errors: Record<string, string[]> = {}
  for (const { instanceLocation, keyword, error } of new Validator(body, '2020-12', false).validate(value).errors) {
    // An error with one of these keywords only repeats errors of inner fields, so it is left out.
    if (['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(keyword)) continue
    const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
    const field = [...instanceLocation.split('/').slice(1), ...(missing ? [missing] : [])].join('.')
    errors[field] = [...new Set([...(errors[field] ?? []), missing ? 'This field is required.' : error])]
  }
  return errors
}
