#!/usr/bin/env node
// The command line of Prisma starts this schema engine (PRISMA_SCHEMA_ENGINE_BINARY) for `migrate diff` and `migrate status`. This engine wraps the official
// WebAssembly build in the JSON-RPC protocol of the native engine, which Prisma would download.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { migrationName, unlimited } from './migration-connection.mjs'

const folder = createRequire(import.meta.url)
  .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  .replace(/schema_engine_bg\.js$/, '')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
  },
})
const { url } = JSON.parse(values.datasource)

/** Prisma runs this check before each command that reads a database. */
async function canConnectToDatabase() {
  try {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
  } catch (error) {
    // The output begins with an empty line, because Prisma ignores the first line of stderr, and parses each later line
    // as a log record.
    const fields = { message: error.message, error_code: 'P1001', is_panic: false }
    const record = { level: 'ERROR', target: 'schema_engine::logger', timestamp: new Date().toISOString(), fields }
    process.stderr.write(`\n${JSON.stringify(record)}`)
    process.exitCode = 1
  }
}

async function serve() {
  const SchemaEngine = await loadEngine()
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const refuse = (id, message, code) => {
    const data = { is_panic: false, message, meta: null, error_code: code }
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } })
  }
  let starting
  const engine = () => {
    starting ??= startEngine(SchemaEngine)
    return starting
  }
  let current
  // Responds with an error if the engine panics, because a panic rejects no promise. Without a response, Prisma would
  // exit as if it had succeeded.
  process.on('uncaughtException', (error) => {
    refuse(current, globalThis.PRISMA_WASM_PANIC_REGISTRY.get() || String(error), null)
    process.exitCode = 1
    process.stdin.destroy()
  })

  async function answer({ id, method, params }) {
    const started = await engine()
    const result = await started[method](params)
    // The native engine prints a difference in a separate message before its response.
    if (method === 'diff' && result?.stdout != null) {
      send({ id: 1e9 + id, method: 'print', params: { content: result.stdout.replace(/\n$/, '') } })
    }
    send({ id, result: result ?? null })
  }

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = line.trim() ? JSON.parse(line) : {}
    if (!request.method) continue // A line without a method is the response to our message 'print'.
    current = request.id
    try {
      await answer(request)
    } catch (error) {
      refuse(request.id, error?.message ?? String(error), error?.code ?? null)
    }
  }
  process.exit()
}

async function loadEngine() {
  // The WebAssembly build reports a panic through this global.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    message: '',
    set_message(message) {
      this.message = message
    },
    get() {
      return this.message
    },
  }
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const { instance } = await WebAssembly.instantiate(await readFile(`${folder}schema_engine_bg.wasm`), {
    './schema_engine_bg.js': glue,
  })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue.SchemaEngine
}

async function startEngine(SchemaEngine) {
  const files = values.datamodels ?? []
  const datamodels = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')]))
  // The WebAssembly build requires a schema even for `migrate diff`, which does not use it.
  if (datamodels.length === 0) datamodels.push(['schema.prisma', 'datasource db { provider = "postgresql" }'])
  const factory = bindMigrationAwareSqlAdapterFactory(new EnginePg(connection(), {}))
  return SchemaEngine.new({ datamodels }, (log) => process.env.DEBUG && process.stderr.write(`${log}\n`), factory)
}

class EnginePg extends PrismaPg {
  async connect() {
    return mended(await super.connect())
  }

  async connectToShadowDb() {
    // Creates and drops the shadow database here. Version 7.10.0 of the adapter drops the database while connections to
    // it are open, and PostgreSQL refuses this.
    const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
    await maintain(`create database ${quoted(database)}`)
    const adapter = mended(await new PrismaPg({ ...connection(), database }, {}).connect())
    const close = adapter.dispose.bind(adapter)
    adapter.dispose = async () => {
      await close()
      await maintain(`drop database if exists ${quoted(database)} with (force)`)
    }
    return adapter
  }
}

/**
 * Works around two faults of the adapter. First, the adapter refuses the type "char" (OID 18) of the catalog, so `mended` changes
 * this type to bpchar (OID 1042). Second, the adapter splits scripts at every semicolon, even in strings, so `mended` sends the whole script.
 */
function mended(adapter) {
  const characters = new WeakMap()
  const performIO = adapter.performIO.bind(adapter)
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    characters.set(
      result.rows,
      result.fields.flatMap((field, index) => (field.dataTypeID === 18 ? [index] : [])),
    )
    for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 1042
    return result
  }
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const index of characters.get(result.rows)) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  adapter.executeScript = async (script) => {
    await adapter.client.query(script).catch((error) => adapter.onError(error))
  }
  return adapter
}

/**
 * Returns no URL, because a URL would take precedence over `database` in pg, and the shadow database would be the real
 * database.
 */
function connection() {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url })
  return { host, port, user, password, database, ssl, options: unlimited, application_name: migrationName }
}

async function maintain(statement) {
  const address = new URL(url)
  address.pathname = '/postgres'
  address.search = ''
  const client = new pg.Client({ connectionString: address.toString() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`
}

if (positionals.at(-1) === 'can-connect-to-database') await canConnectToDatabase()
else await serve()
