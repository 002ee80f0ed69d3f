// @ts-check
// Reloads pages and routes after a change, restarts the worker after a change in lib, and renders changed
// documentation.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { read, write } from './atomic-file.mjs'
import { buildDocs, bundlePrograms, docsFolder } from './build.mjs'
import { startEmbedded } from './embedded-postgres.mjs'
import { dataDirectory, postgresDirectory, root, settleEnvironment } from './environment.mjs'
import { migrateService } from './migrate.mjs'
import { recordRunning, recordStopped } from './running.mjs'
import { command } from './user-facing-error.mjs'

async function dev() {
  mkdirSync(dataDirectory(), { recursive: true })
  settleEnvironment()
  const port = process.env.PORT || '3000'
  process.env.PUBLIC_BASE_URL ||= `http://localhost:${port}`
  const embedded = process.env.DATABASE_URL
    ? null
    : await startEmbedded({ directory: postgresDirectory(), purpose: 'npm start' })
  const databaseUrl = process.env.DATABASE_URL || embedded?.url || ''
  process.env.DATABASE_URL = databaseUrl
  await migrateService(databaseUrl)
  const baseUrl = process.env.PUBLIC_BASE_URL
  if (embedded) recordRunning({ databaseUrl, baseUrl, environment: 'development' })
  await showDemo(baseUrl)
  await buildDocs()
  const children = [
    program('next', ['dev', '--port', port]),
    program('tsx', ['watch', '--include', 'lib/**/*', 'scripts/dev-worker.ts']),
    program('tsx', ['watch', '--include', 'docs/**/*.md', 'scripts/docs/build-site.ts', docsFolder]),
  ]
  const stop = async () => {
    for (const child of children) child.kill()
    if (embedded) {
      recordStopped()
      await embedded.stop()
    }
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  for (const child of children) child.on('exit', stop)
}

/** @param {string} name of a program in node_modules/.bin @param {string[]} args */
const program = (name, args) =>
  spawn(path.join(root, 'node_modules/.bin', name), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
  })

/** @param {string} baseUrl */
async function showDemo(baseUrl) {
  const { findDemo } = await import(path.join(await bundlePrograms(), 'demo.mjs'))
  const file = path.join(dataDirectory(), 'demo.json')
  const known = read(file)
  const demo = await findDemo(known && JSON.parse(known))
  if (!demo) return
  write(file, `${JSON.stringify(demo, null, 2)}\n`)
  console.log(`Demo storefront ${demo.storefrontId} at ${baseUrl}, test key ${demo.testKey}`)
}

command(dev)
