import { execFileSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { invoicePages } from '../../../../e2e/fixtures/hosted-pages.ts'
import { translator } from '../../../platform/translate.ts'
import { Busy } from '../../../platform/work-queue.ts'
import { invoiceDocumentOf } from '../invoice-document.ts'
import type { InvoiceDocument } from '../page.ts'
import { draw } from './draw.ts'
import { Workers } from './workers.ts'

let workers: Workers
afterEach(() => workers.close())

const program = (source: string) => () =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${source}`, { eval: true })
const answers = `parentPort.on('message', ({ document }) => parentPort.postMessage({ bytes: new TextEncoder().encode(document.number) }))`
const document = (number: string) => ({ number }) as InvoiceDocument
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const limits = { drawMs: 60_000, idleMs: 60_000 }

describe('worker threads', () => {
  it('a worker thread draws the same bytes as the main thread', async () => {
    workers = new Workers()
    const page = invoicePages.kronor?.('de')
    if (!page) throw new Error('No fixture')
    const written = invoiceDocumentOf(page, await translator('de'))
    const bytes = await workers.draw(written)
    expect(Buffer.from(bytes).equals(await draw(written))).toBe(true)
    expect(Buffer.from(await workers.draw(written)).equals(bytes)).toBe(true)
    expect(workers.size).toBe(1)
  })

  it.runIf(process.platform === 'linux')(
    'a worker thread responds in a low-priority process whose user may not raise the priority',
    () => {
      const draws = `require('node:os').setPriority(10)
        const worker = new (require('node:worker_threads').Worker)('./lib/modules/invoices/pdf/worker-from-source.mjs')
        worker.on('message', (answer) => { console.log(Object.keys(answer).join()); worker.terminate() })
        worker.postMessage({ document: {}, logo: null })`
      // Root may raise priorities, so the test runs the process without this capability.
      const unprivileged =
        process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : []
      const [program = '', ...args] = [...unprivileged, process.execPath, '--eval', draws]
      expect(execFileSync(program, args, { encoding: 'utf8' })).toBe('error\n')
    },
  )

  it('an idle worker thread is reused, and a concurrent request starts a second thread', async () => {
    workers = new Workers(program(answers))
    expect(text(await workers.draw(document('1')))).toBe('1')
    expect(text(await workers.draw(document('2')))).toBe('2')
    expect(workers.size).toBe(1)
    expect((await Promise.all([workers.draw(document('3')), workers.draw(document('4'))])).map(text)).toEqual([
      '3',
      '4',
    ])
    expect(workers.size).toBe(2)
  })

  it('a worker thread reports the reason of a failed drawing and is reused', async () => {
    workers = new Workers(program(`parentPort.on('message', () => parentPort.postMessage({ error: 'no ink' }))`))
    for (const number of ['1', '2']) await expect(workers.draw(document(number))).rejects.toThrow('no ink')
    expect(workers.size).toBe(1)
  })

  it.each([
    ['dies', `parentPort.on('message', () => process.exit(1))`],
    ['throws an error', `parentPort.on('message', () => { throw new Error('broken') })`],
    ['fails to start', `throw new Error('broken')`],
    [
      'takes too much memory',
      `parentPort.on('message', () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) })`,
    ],
  ])('a worker thread is replaced, and its request fails as Busy, if the thread %s', async (_, source) => {
    const programs = [source, answers]
    workers = new Workers(() => {
      const code = `const { parentPort } = require('node:worker_threads'); ${programs.shift()}`
      return new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })
    }, limits)
    await expect(workers.draw(document('1'))).rejects.toThrow(Busy)
    expect(workers.size).toBe(0)
    expect(text(await workers.draw(document('2')))).toBe('2')
  })

  it('a worker thread is terminated if it does not finish in time', async () => {
    const programs = [`parentPort.on('message', () => { for (;;); })`, answers]
    workers = new Workers(() => program(programs.shift() ?? '')(), { ...limits, drawMs: 1_000 })
    await expect(workers.draw(document('1'))).rejects.toThrow(Busy)
    expect(text(await workers.draw(document('2')))).toBe('2')
  })

  it('a worker thread is removed after its idle time, or when the thread exits', async () => {
    workers = new Workers(program(answers), { ...limits, idleMs: 1 })
    await workers.draw(document('1'))
    await expect.poll(() => workers.size).toBe(0)
    const diesLater = `${answers}; parentPort.on('message', () => setImmediate(() => process.exit(0)))`
    workers = new Workers(program(diesLater), limits)
    await workers.draw(document('1'))
    await expect.poll(() => workers.size).toBe(0)
  })

  it('closing the workers terminates all threads and rejects the drawings in progress', async () => {
    workers = new Workers(program(`parentPort.on('message', () => { for (;;); })`), limits)
    const drawn = workers.draw(document('1'))
    const refused = expect(drawn).rejects.toThrow(Busy)
    await workers.close()
    await refused
    expect(workers.size).toBe(0)
  })
})
