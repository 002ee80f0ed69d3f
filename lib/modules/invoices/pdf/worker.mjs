// @ts-check
// The program of a thread that draws. JavaScript, so that Node runs it as it is, beside the source and beside every bundle alike.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { draw } from './draw.ts'
import { drawSheet } from './sheet.ts'

// On Linux this is the thread's alone: requests go before drawing where there are fewer processors than threads.
if (process.platform === 'linux') setPriority(5)

parentPort?.on('message', async (/** @type {import('./workers.ts').Drawing} */ task) => {
  try {
    const bytes = await ('sheet' in task ? drawSheet(task.sheet) : draw(task.invoice, task.logo))
    parentPort?.postMessage({ bytes }, [bytes.buffer])
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
