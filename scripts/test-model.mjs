// @ts-check
// Runs the model test of subscriptions and money for longer than `npm test`. TEST_DATABASE_URL can name a PostgreSQL
// server; by default, the script starts one. `--path` and `--replay` take the values of a failure report.
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from './embedded-postgres.mjs'
import { root } from './environment.mjs'
import { endPrograms, show } from './progress.mjs'
import { command, UserFacingError } from './user-facing-error.mjs'

const workspace = mkdtempSync(path.join(os.tmpdir(), 'billhook-model-'))
// If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(workspace, 0o711)
const directory = path.join(workspace, 'postgres')

async function main() {
  const environment = environmentOf(process.argv.slice(2))
  const vitest = path.join(root, 'node_modules/.bin/vitest')
  const run = () =>
    show(vitest, ['run', '--project', 'db', 'lib/workflows/subscription-change/model.db.test.ts'], environment)
  if (process.env.TEST_DATABASE_URL) {
    process.exitCode = await run()
    return
  }
  const server = await startEmbedded({ directory, purpose: 'the model test', settings: { fsync: 'off' } })
  environment.TEST_DATABASE_URL = server.url
  try {
    process.exitCode = await run()
  } finally {
    await server.stop()
  }
}

/** @param {string[]} args @returns {Record<string, string>} */
function environmentOf(args) {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ args, options: { runs: text, seed: text, path: text, replay: text } })
  for (const [name, value] of Object.entries({ runs: values.runs, seed: values.seed }))
    if (value !== undefined && !/^-?\d{1,10}$/.test(value))
      throw new UserFacingError(`--${name} must be a whole number.`)
  return {
    MODEL_RUNS: values.runs ?? '100',
    MODEL_SEED: values.seed ?? String(Date.now() % 2 ** 31),
    ...(values.path !== undefined && { MODEL_PATH: values.path }),
    ...(values.replay !== undefined && { MODEL_REPLAY: values.replay }),
  }
}

process.on('exit', () => {
  endPrograms()
  // The database folder is a symbolic link if the database user cannot access the workspace.
  const database = existsSync(directory) ? [realpathSync(directory)] : []
  for (const folder of [...database, workspace])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

command(main)
