// @ts-check
// A Prisma generator that writes `prisma/client/tables.ts`, the facts about tables for `lib/platform/db`. Prisma
// exchanges lines of JSON-RPC with the generator over stdin and stderr.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * @typedef {{ name: string, kind: string, type: string, isList: boolean, isId: boolean, isUnique: boolean,
 *   relationName?: string, relationFromFields?: string[], relationToFields?: string[] }} Field
 * @typedef {{ name: string, fields: Field[], primaryKey: Key | null, uniqueIndexes: Key[] }} Model
 * @typedef {{ name: string | null, fields: string[] }} Key
 * @typedef {{ model: string, fields: { name: string }[] }} Index
 * @typedef {{ models: Model[], indexes: Index[] }} Schema
 */

const manifest = { prettyName: 'tables of the database', defaultOutput: '../prisma/client/tables.ts' }

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  try {
    if (method === 'generate') writeFileSync(params.generator.output.value, text(params.dmmf.datamodel))
    reply({ id, result: method === 'getManifest' ? { manifest } : null })
  } catch (error) {
    reply({ id, error: { code: 0, message: String(error), data: { stack: null } } })
  }
}

/** @param {object} message */
function reply(message) {
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** @param {Schema} schema */
function text(schema) {
  const tables = Object.fromEntries(schema.models.map((model) => [model.name, shapeOf(model, schema)]))
  return `// Written by scripts/table-generator.mjs.
import type { TableShape } from '../../lib/platform/db/table-shape.ts'

export const tables: Readonly<Record<string, TableShape>> = ${JSON.stringify(tables, null, 2)}
`
}

/** @param {Model} model @param {Schema} schema */
function shapeOf(model, { models, indexes }) {
  const columns = model.fields.filter(({ kind }) => kind !== 'object')
  const keys = [model.primaryKey, ...model.uniqueIndexes].flatMap((key) => key ?? [])
  return {
    columns: Object.fromEntries(columns.map(({ name, type, isList }) => [name, isList ? `${type}[]` : type])),
    keys: Object.fromEntries(keys.map(({ name, fields }) => [name ?? fields.join('_'), fields])),
    leading: [
      ...new Set(indexes.filter((index) => index.model === model.name).flatMap(({ fields }) => fields[0]?.name ?? [])),
    ],
    relations: Object.fromEntries(
      model.fields
        .filter(({ kind }) => kind === 'object')
        .map((field) => [field.name, relationOf(field, model, models)]),
    ),
  }
}

/** Only the model with the foreign key names the columns of the relation. @param {Field} field @param {Model} model @param {Model[]} models */
function relationOf(field, model, models) {
  const there = models.find(({ name }) => name === field.type)
  const opposite = there?.fields.find(
    (each) => each.relationName === field.relationName && (there !== model || each.name !== field.name),
  )
  const refers = (field.relationFromFields ?? []).length > 0
  const from = (refers ? field.relationFromFields : opposite?.relationToFields) ?? []
  const to = (refers ? field.relationToFields : opposite?.relationFromFields) ?? []
  return { table: field.type, isMany: field.isList, on: from.map((column, index) => [column, to[index]]) }
}
