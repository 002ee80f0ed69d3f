// @ts-check
// The program of a thread that draws. JavaScript, so that Node runs it as it is, beside the source and beside every bundle alike.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { draw } from './draw.ts'
import { drawStatement } from './draw-statement.ts'
import { drawFactSheet } from './fact-sheet.ts'

// On Linux this is the thread's alone: requests go before drawing where there are fewer processors than threads.
if (process.platform === 'linux') setPriority(5)

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
