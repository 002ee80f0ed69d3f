import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { log } from '../../../platform/log.ts'
import { Busy } from '../../../platform/work-queue.ts'
import type { DocumentContent } from '../page.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Answer = { readonly bytes: Bytes } | { readonly error: string }

const startWorker = (): Worker => {
  const options = {
    name: 'drawing',
    // With these limits, a very large document ends its thread, but not the process.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  }
  return isBundled
    ? // A bundler recognizes this form of `new URL` and emits the program of the thread.
      new Worker(new URL('./worker.mjs', import.meta.url), options)
    : // Tests and `npm run dev` run `worker-from-source.mjs`. Bundlers do not recognize this call, so they do not bundle this file.
      Reflect.construct(Worker, [path.join(sources, 'worker-from-source.mjs'), options])
}

const sources = path.join(process.cwd(), 'lib/modules/invoices/pdf')
/**
 * Whether a bundler has processed this code: `NODE_ENV` is `production`, or the file has another URL than its source.
 * The URL alone is no proof, because Turbopack keeps the URL of the source.
 */
const isBundled =
  process.env.NODE_ENV === 'production' || import.meta.url !== pathToFileURL(path.join(sources, 'workers.ts')).href

/** Each thread draws one document at a time. The caller limits concurrency. An idle thread ends after some time, which frees the memory of its fonts. */
export class Workers {
  private readonly idle: { worker: Worker; wake(): void }[] = []
  private readonly all = new Set<Worker>()

  constructor(
    private readonly start: () => Worker = startWorker,
    private readonly limits = { drawMs: 60_000, idleMs: 60_000 },
  ) {}

  draw(document: DocumentContent, logo: Uint8Array | null = null): Promise<Bytes> {
    const worker = this.take()
    return new Promise<Bytes>((resolve, reject) => {
      const fail = (reason: unknown) => {
        settle()
        this.discard(worker)
        log.error(
          { err: reason instanceof Error ? reason : new Error(`exit code ${reason}`) },
          'a drawing thread ended unexpectedly',
        )
        reject(new Busy(5))
      }
      const answered = (answer: Answer) => {
        settle()
        this.keep(worker)
        if ('bytes' in answer) resolve(answer.bytes)
        else reject(new Error(`the document could not be drawn: ${answer.error}`))
      }
      const hangs = setTimeout(() => fail(new Error(`no response in ${this.limits.drawMs} ms`)), this.limits.drawMs)
      const settle = () => {
        clearTimeout(hangs)
        worker.off('error', fail).off('exit', fail).off('messageerror', fail).off('message', answered)
      }
      worker.on('error', fail).on('exit', fail).on('messageerror', fail).on('message', answered)
      worker.ref()
      worker.postMessage({ document, logo })
    })
  }

  async close(): Promise<void> {
    for (const { wake } of this.idle.splice(0)) wake()
    await Promise.all([...this.all].map((worker) => worker.terminate()))
    this.all.clear()
  }

  get size(): number {
    return this.all.size
  }

  private take(): Worker {
    const kept = this.idle.pop()
    if (kept) {
      kept.wake()
      return kept.worker
    }
    const worker = this.start()
    this.all.add(worker)
    return worker
  }

  private keep(worker: Worker): void {
    const end = () => {
      this.idle.splice(this.idle.indexOf(idle), 1)
      idle.wake()
      this.discard(worker)
    }
    const ends = setTimeout(end, this.limits.idleMs).unref()
    const wake = () => {
      clearTimeout(ends)
      worker.off('error', end).off('exit', end)
    }
    const idle = { worker, wake }
    worker.on('error', end).on('exit', end)
    worker.unref()
    this.idle.push(idle)
  }

  private discard(worker: Worker): void {
    this.all.delete(worker)
    worker.on('error', () => undefined)
    void worker.terminate()
  }
}
