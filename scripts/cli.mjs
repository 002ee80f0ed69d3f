// @ts-check
// `npm run --silent cli -- …`: the command line's own program is bundled, so that it starts at once; this finds the bundle
// (or makes it) and the database.
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
  // Libraries keep timers; the answer is out, so nobody has to wait for them.
  process.stdout.write('', () => process.exit(code))
})
