// @ts-check
// `npm run --silent cli -- …`: finds (or makes) the bundled command line, which starts faster than its sources, and the
// database.
import path from 'node:path'
import { bundlePrograms } from './build.mjs'
import { install } from './install.mjs'
import { command } from './user-facing-error.mjs'

command(async () => {
  await install()
  const { main } = await import(path.join(await bundlePrograms(), 'cli.mjs'))
  const code = await main(process.argv.slice(2), async () => {
    const { findDatabase } = await import('./find-database.mjs')
    return findDatabase()
  })
  // Libraries keep timers; the answer is written, so there is nothing left to wait for.
  process.stdout.write('', () => process.exit(code))
})
