#!/usr/bin/env node
// The command line of Prisma starts this schema engine (PRISMA_SCHEMA_ENGINE_BINARY). This engine wraps the official WebAssembly build in the JSON-RPC protocol
// of the native engine, which Prisma would download.
import { readFileSync } from 'node:fs'
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

if (process.argv.includes('--version')) {
  console.log(`schema-engine-wasm ${JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).version}`)
  process.exit(0)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
  },
})
const { url } = values.datasource ? JSON.parse(values.datasource) : {}

async function answerOneQuestion(question) {
  const answers = {
    'can-connect-to-database': async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.end()
    },
    'create-database': createDatabase,
    'drop-database': () => maintain((client, name) => client.query(`drop database if exists ${quoted(name)}`)),
  }
  try {
    await answers[question]()
    process.exit(0)
  } catch (error) {
    // Prisma ignores the first line of stderr, and parses each later line as a log record.
    const fields = { message: error.message, error_code: error.code === '3D000' ? 'P1003' : 'P1001', is_panic: false }
    const record = { level: 'ERROR', target: 'schema_engine::logger', timestamp: new Date().toISOString(), fields }
    process.stderr.write(`\n${JSON.stringify(record)}`)
    process.exit(1)
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
  // A panic of the engine rejects no promise. Without a response, Prisma would exit as if it had succeeded.
  process.on('uncaughtException', (error) => {
    refuse(current, globalThis.PRISMA_WASM_PANIC_REGISTRY.get() || String(error), null)
    process.exitCode = 1
    process.stdin.destroy()
  })

  async function answer({ id, method, params }) {
    if (method === 'createDatabase') return send({ id, result: await createDatabase() })
    const started = await engine()
    const name = method === 'getDatabaseVersion' ? 'version' : method
    if (!started[name]) throw new Error(`Unsupported schema engine method ${method}`)
    const result = await started[name](params)
    // The native engine prints a difference in a separate message before its response.
    if (method === 'diff' && result?.stdout != null) {
      send({ id: 1e9 + id, method: 'print', params: { content: result.stdout.replace(/\n$/, '') } })
    }
    send({ id, result: result ?? null })
  }

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = line.trim() ? JSON.parse(line) : {}
    if (!request.method) continue // the response to our 'print'
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
  // The WebAssembly build requires a schema even for commands that do not use it.
  if (datamodels.length === 0) datamodels.push(['schema.prisma', 'datasource db { provider = "postgresql" }'])
  const schema = url ? (new URL(url).searchParams.get('schema') ?? undefined) : undefined
  const factory = bindMigrationAwareSqlAdapterFactory(new EnginePg(connection(), { schema }))
  return SchemaEngine.new({ datamodels }, (log) => process.env.DEBUG && process.stderr.write(`${log}\n`), factory)
}

/** Without a URL, the adapter works until a command needs a database. */
class EnginePg extends PrismaPg {
  async connect() {
    return url ? mended(await super.connect()) : offline
  }

  async connectToShadowDb() {
    if (!url) return offline
    // Version 7.10.0 of the adapter drops the shadow database while connections to it are open, and PostgreSQL refuses this.
    const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
    await maintain((client) => client.query(`create database ${quoted(database)}`))
    const adapter = mended(await new PrismaPg({ ...connection(), database }, {}).connect())
    const close = adapter.dispose.bind(adapter)
    adapter.dispose = async () => {
      await close()
      await maintain((client) => client.query(`drop database if exists ${quoted(database)} with (force)`))
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

/** Even offline commands ask whether the schema exists, and ask for the version as text and as a number. */
const offline = (() => {
  const none = async () => {
    throw new Error('This command needs a database, but no datasource URL is configured.')
  }
  const answer = {
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
    rows: [[true, 'PostgreSQL 18.0', 180_000]],
  }
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    queryRaw: ({ sql }) => (sql.includes('server_version_num') ? Promise.resolve(answer) : none()),
    executeRaw: none,
    executeScript: none,
    startTransaction: none,
    dispose: async () => {},
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  }
})()

/** A URL would take precedence over `database` in pg, so the shadow database would be the real database. */
function connection() {
  if (!url) return {}
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url })
  return { host, port, user, password, database, ssl, options: unlimited, application_name: migrationName }
}

/** Runs `work` on the database `postgres`. `work` gets the name of the database in the URL. */
async function maintain(work) {
  const address = new URL(url)
  const name = decodeURIComponent(address.pathname.slice(1))
  address.pathname = '/postgres'
  address.search = ''
  const client = new pg.Client({ connectionString: address.toString() })
  await client.connect()
  try {
    return await work(client, name)
  } finally {
    await client.end()
  }
}

function createDatabase() {
  return maintain(async (client, name) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${quoted(name)}`)
    return { databaseName: name }
  })
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`
}

if (positionals[0] === 'cli') await answerOneQuestion(positionals.at(-1))
else await serve()
