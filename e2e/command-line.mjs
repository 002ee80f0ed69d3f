// @ts-check
// Runs commands in one process, because a new process for each command would take as long as the tests themselves.
import path from 'node:path'
import { bundlePrograms } from '../scripts/build.mjs'
import { findDatabase } from '../scripts/find-database.mjs'
import { install } from '../scripts/install.mjs'

await install()
const { main } = await import(path.join(await bundlePrograms(), 'cli.mjs'))
let last = Promise.resolve()

process.on('message', (/** @type {{ id: number, args: string[] }} */ { id, args }) => {
  last = last.then(async () => {
    const written = { out: '', error: '' }
    /** @param {'out' | 'error'} stream */
    const append = (stream) => (/** @type {string} */ text) => {
      written[stream] += text
    }
    const code = await main(args, findDatabase, { out: append('out'), error: append('error') })
    process.send?.({ id, code, ...written })
  })
})
process.on('disconnect', () => process.exit())
