// @ts-check
// This file is JavaScript, so that the path `./worker.mjs` in `workers.ts` is correct both in the source folder and
// next to the bundled server.
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { draw } from './draw.ts'
import { drawStatement } from './draw-statement.ts'
import { drawFactSheet } from './fact-sheet.ts'

// On Linux, the priority applies to this thread only, so requests have precedence over drawing. In the task process, the thread keeps the even
// lower priority of the process, because only a privileged user may raise a priority.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), 5))

/** @typedef {{ document: import('../page.ts').DocumentContent, logo: Uint8Array | null }} Task */

const drawn = (/** @type {Task} */ { document, logo }) => {
  if ('sections' in document) return drawFactSheet(document)
  return 'tables' in document ? drawStatement(document) : draw(document, logo)
}

parentPort?.on('message', async (/** @type {Task} */ task) => {
  try {
    const bytes = await drawn(task)
    parentPort?.postMessage({ bytes }, [bytes.buffer])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
