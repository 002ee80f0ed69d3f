// @ts-check
// Finds the database, and runs the bundled command line, which starts faster than the sources.
import path from 'node:path'
import { bundlePrograms } from './build.mjs'
import { install } from './install.mjs'
import { command, withoutAccess } from './user-facing-error.mjs'

command(async () => {
  await install()
  const { main } = await import(path.join(await bundlePrograms(), 'cli.mjs'))
  const code = await main(process.argv.slice(2), async () => {
    const { findDatabase } = await import('./find-database.mjs')
    return findDatabase().catch((error) => {
      throw withoutAccess(error)
    })
  })
  // The process must exit explicitly, because timers of libraries would keep it running. `setImmediate` leaves time for
  // the error of a failed write, which is emitted after the callback.
  process.stdout.write('', () => setImmediate(() => process.exit(process.exitCode ?? code)))
})
