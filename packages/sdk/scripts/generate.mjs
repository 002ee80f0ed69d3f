// @ts-check
// Writes src/generated from docs/openapi.json. `generated.test.ts` fails if these files are outdated.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'

const folder = path.resolve(import.meta.dirname, '../src/generated')
const document = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'))
const header = '// Generated from docs/openapi.json by `npm run generate`. Do not edit.\n'

/** @typedef {{ name: string, in: string, required: boolean, schema: any }} Parameter */
/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method
 * @property {string} path
 * @property {string} doc
 * @property {Parameter[]} query
 * @property {any} body the schema; null without a body
 * @property {boolean} isBodyRequired
 * @property {boolean} takesKey whether the operation takes an `Idempotency-Key`
 * @property {number} status of a success
 * @property {any} result the schema of a success; null for 204
 * @property {any} example of a success
 * @property {string[]} scopes
 */

/** @returns {Operation[]} */
function operationsOf() {
  return Object.entries(document.paths).flatMap(([pathname, methods]) =>
    Object.entries(/** @type {Record<string, any>} */ (methods)).map(([method, operation]) => {
      const { operationId: id, parameters = [], requestBody, responses, summary, description } = operation
      const query = parameters.filter((/** @type {Parameter} */ each) => each.in === 'query')
      // `createCustomer` returns 201 for a new customer and 200 for an existing customer. Both responses have the same shape, so the SDK uses the shape of 201.
      const status = Math.max(
        ...Object.keys(responses)
          .map(Number)
          .filter((each) => each < 300),
      )
      const content = responses[status].content?.['application/json']
      // The API accepts query parameters in the body too, but the SDK sends them only in the query.
      const body = query.length > 0 ? null : (requestBody?.content['application/json'].schema ?? null)
      return {
        id,
        method: method.toUpperCase(),
        path: pathname,
        doc: [summary, description].filter(Boolean).join('\n\n'),
        query,
        body,
        isBodyRequired: requestBody?.required ?? false,
        takesKey: parameters.some((/** @type {Parameter} */ each) => each.name === 'Idempotency-Key'),
        status,
        result: content?.schema ?? null,
        example: content?.example ?? null,
        scopes: (operation.security ?? []).flatMap((/** @type {object} */ each) => Object.keys(each)),
      }
    }),
  )
}

/**
 * Returns the API document without error responses, because all errors have one shape, and without `webhooks`, because
 * the schemas contain the webhook events.
 */
function reduced() {
  const copy = structuredClone(document)
  delete copy.webhooks
  for (const methods of Object.values(copy.paths))
    for (const operation of Object.values(/** @type {Record<string, any>} */ (methods)))
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) >= 300) delete operation.responses[status]
        delete response.headers
      }
  return copy
}

/** @param {string} ref @returns {string} */
const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1)

/** @param {Operation} operation @returns {string} the return type of the method */
function resultOf({ id, result }) {
  if (result === null) return 'Promise<void>'
  if (result.$ref) return `Promise<${nameOf(result.$ref)}>`
  const item = result.properties?.data?.items
  return item ? `List<${nameOf(item.$ref)}>` : `Promise<Result<'${id}'>>`
}

/** @param {Operation} operation */
const isList = ({ result }) => result?.properties?.data !== undefined

/** @param {Operation} operation @returns {string} the parameter list of the method */
function parametersOf({ id, path, query, body, isBodyRequired, takesKey }) {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  const input =
    query.length > 0 ? [`query?: Query<'${id}'>`] : body ? [`body${isBodyRequired ? '' : '?'}: Body<'${id}'>`] : []
  return [...ids, ...input, `options?: ${takesKey ? 'WriteOptions' : 'RequestOptions'}`].join(', ')
}

/** @param {Operation[]} operations */
function methods(operations) {
  const schemas = Object.keys(document.components.schemas)
  const comment = (/** @type {string} */ text) =>
    ['  /**', ...text.split('\n').map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
  const flags = (/** @type {Operation} */ each) =>
    [each.query.length > 0 ? 'query' : each.body ? 'body' : '', each.takesKey ? 'key' : '', isList(each) ? 'list' : '']
      .filter(Boolean)
      .map((flag) => ` ${flag}`)
      .join('')
  return [
    header,
    "import type { Body, List, Query, RequestOptions, Result, WriteOptions } from '../types.ts'",
    "import type { components } from './schema.ts'\n",
    ...schemas.map((name) => `export type ${name} = components['schemas']['${name}']`),
    '\n/** One method for each operation of the API, with the name that the API reference uses. */',
    'export interface Operations {',
    ...operations.map((each) => `${comment(each.doc)}\n  ${each.id}(${parametersOf(each)}): ${resultOf(each)}\n`),
    '}\n',
    '/** The method and the path of each operation, and what it takes: a query or a body, and an idempotency key. */',
    'export const operations = {',
    ...operations.map((each) => `  ${each.id}: '${each.method} ${each.path}${flags(each)}',`),
    '} as const satisfies Record<keyof Operations, string>\n',
  ].join('\n')
}

/** @param {Operation[]} operations */
function contract(operations) {
  const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => [
    name,
    post.requestBody.content['application/json'].example,
  ])
  const value = {
    operations: operations.map(({ doc, isBodyRequired, query, body, result, ...each }) => ({
      ...each,
      query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      body: withoutDescriptions(body),
      isBodyRequired,
      isList: isList({ ...each, doc, isBodyRequired, query, body, result }),
    })),
    webhooks: Object.fromEntries(webhooks),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}

/** @param {any} value @returns {any} */
function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name, each]) => !(name === 'description' && typeof each === 'string'))
  return Object.fromEntries(
    kept.filter(([name]) => name !== 'examples').map(([name, each]) => [name, withoutDescriptions(each)]),
  )
}

export async function generated() {
  const ast = await openapiTS(reduced(), { defaultNonNullable: false })
  const operations = operationsOf()
  return {
    'schema.ts': `${header}\n${astToString(ast)}`,
    'operations.ts': methods(operations),
    'contract.json': contract(operations),
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(await generated())) writeFileSync(path.join(folder, name), text)
}
