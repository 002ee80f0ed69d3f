import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Endpoint } from '../platform/http/endpoint.ts'
import { openApi } from '../platform/http/openapi.ts'
import type { Reply } from './shop.ts'

/** Checks calls against the OpenAPI document, as a program generated from the document would. */

interface Call {
  readonly endpoint: Endpoint
  readonly query: URLSearchParams
  readonly sent: unknown
}

export function heldAgainst(endpoints: readonly Endpoint[]): (call: Call, reply: Reply) => void {
  const id = 'https://billhook.test/openapi.json'
  const contact = { name: '', email: null }
  const document = openApi({ endpoints }, { baseUrl: '', version: '1', contact })
  // The OpenAPI document is not a JSON Schema. Strict mode would refuse its other parts (openapi, paths, …).
  const plain = new Ajv2020({ strict: false, validateFormats: true }).addSchema(document, id)
  // Query parameters are text, so the validator converts numbers and booleans.
  const fromText = new Ajv2020({ strict: false, coerceTypes: true }).addSchema(document, id)
  for (const each of [plain, fromText]) addFormats.default(each)

  const compiled = new Map<string, ValidateFunction>()
  const holds = (ajv: Ajv2020, pointer: (string | number)[], value: unknown) => {
    const path = pointer.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `${id}#/${path.join('/')}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    validate(value)
    expect(validate.errors ?? [], `${pointer.slice(1).join(' ')} ${JSON.stringify(value)?.slice(0, 500)}`).toEqual([])
  }

  return ({ endpoint, query, sent }, { status, body }) => {
    const operation = ['paths', endpoint.path, endpoint.method.toLowerCase()]
    const json = ['content', 'application/json', 'schema']
    if (body !== undefined) holds(plain, [...operation, 'responses', status, ...json], body)
    if (status >= 300) return
    if (endpoint.body && sent !== undefined) holds(plain, [...operation, 'requestBody', ...json], sent)
    const { parameters } = (document.paths as Record<string, Record<string, { parameters: { name: string }[] }>>)[
      endpoint.path
    ]?.[endpoint.method.toLowerCase()] ?? { parameters: [] }
    for (const [name, value] of new Map(query)) {
      const index = parameters.findIndex((parameter) => parameter.name === name)
      if (index >= 0) holds(fromText, [...operation, 'parameters', index, 'schema'], value)
    }
  }
}
