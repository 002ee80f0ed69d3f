// @ts-check
// The program of a thread that draws. JavaScript, so that Node runs it as it is, beside the source and beside every bundle alike.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { draw } from './draw.ts'
import { drawStatement } from './draw-statement.ts'

// On Linux this is the thread's alone: requests go before drawing where there are fewer processors than threads.
if (process.platform === 'linux') setPriority(5)

/** @typedef {{ sheet: import('../page.ts').Sheet, logo: Uint8Array | null }} Task */

parentPort?.on('message', async (/** @type {Task} */ { sheet, logo }) => {
  try {
    const bytes = await ('tables' in sheet ? drawStatement(sheet) : draw(sheet, logo))
    parentPort?.postMessage({ bytes }, [bytes.buffer])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
