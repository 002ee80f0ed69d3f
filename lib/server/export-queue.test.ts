import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { log } from '../platform/log.ts'
import { aGate } from '../testing/gate.ts'
import { ExportQueue } from './export-queue.ts'
import { lines } from './log-export.ts'
import { OtlpError } from './otlp-sender.ts'
import { registry } from './request-metrics.ts'

const limits = { delayMs: 1_000, mostWaiting: 6, mostAtOnce: 2 }
const away = new OtlpError('answered 503', true)
const refused = new OtlpError('answered 400', false)

let sent: (readonly string[])[]
/** What the collector answers, one after the other; then it takes everything. */
let answers: (Error | Promise<void>)[]
let warned: ReturnType<typeof vi.spyOn>
const aQueue = (differences: Partial<typeof limits> = {}) =>
  new ExportQueue(lines, { ...limits, ...differences }, async (some) => {
    sent.push(some)
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    await answer
  })
const fill = (queue: ExportQueue, ...added: string[]) => {
  for (const line of added) queue.add(line)
}
const dropped = async () => {
  const metric = await registry.getSingleMetric('billhook_log_records_dropped_total')?.get()
  return Object.fromEntries(metric?.values.map(({ labels, value }) => [labels.reason, value]) ?? [])
}

beforeEach(() => {
  vi.useFakeTimers()
  registry.resetMetrics()
  warned = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
  sent = []
  answers = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('lines on their way to a collector', () => {
  it('wait for others, but not for long', async () => {
    const queue = aQueue()
    fill(queue, 'a')
    await vi.advanceTimersByTimeAsync(999)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([['a']])
  })

  it('are sent at once when they fill a batch, in their order, one batch after the other', async () => {
    const gate = aGate()
    answers = [gate.opened]
    const queue = aQueue()
    fill(queue, 'a', 'b', 'c')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sent).toEqual([['a', 'b']])
    gate.open()
    await queue.flush()
    expect(sent).toEqual([['a', 'b'], ['c']])
    expect(await dropped()).toEqual({})
  })

  it('are dropped and counted when too many wait for a collector that does not answer', async () => {
    const gate = aGate()
    answers = [gate.opened]
    const queue = aQueue()
    fill(queue, ...'abcdefghi')
    expect(await dropped()).toEqual({ full: 3 })
    gate.open()
    await queue.flush()
    expect(sent.flat()).toEqual([...'abcdef'])
    fill(queue, 'j')
    await queue.flush()
    expect(sent.flat()).toEqual([...'abcdefj'])
  })

  it('are dropped and counted when they are too long together', async () => {
    const queue = aQueue()
    const long = 'x'.repeat(3 * 1024 * 1024)
    fill(queue, long, long, 'short')
    expect(await dropped()).toEqual({ full: 1 })
    await queue.flush()
    fill(queue, long)
    await queue.flush()
    expect(sent.map((lines) => lines.map(({ length }) => length))).toEqual([[long.length, 5], [long.length]])
  })

  it('wait for a collector that is away, which is asked after pauses that double, and they say so once', async () => {
    answers = Array.from({ length: 8 }, () => away)
    const queue = aQueue({ delayMs: 10 })
    warned.mockImplementation(() => queue.add('a warning'))
    fill(queue, 'a', 'b')
    const asked: number[] = []
    for (let second = 0; second < 120; second++) {
      await vi.advanceTimersByTimeAsync(second === 0 ? 0 : 1_000)
      if (sent.length > asked.length) asked.push(second)
      // A line that comes meanwhile does not hasten it.
      if (second === 5) fill(queue, 'c')
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sent.slice(8)).toEqual([
      ['a', 'b'],
      ['a warning', 'c'],
    ])
    expect(await dropped()).toEqual({})
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      { error: 'OtlpError: answered 503' },
      'the collector takes no lines of the log',
    )
  })

  it('are dropped and counted when the collector refuses them; the next ones are sent', async () => {
    answers = [refused, refused]
    const queue = aQueue()
    fill(queue, ...'abcde')
    await queue.flush()
    expect(sent).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(await dropped()).toEqual({ refused: 4 })
    expect(warned).toHaveBeenCalledTimes(1)
    answers = [refused]
    fill(queue, 'f')
    await queue.flush()
    expect(warned).toHaveBeenCalledTimes(2)
  })

  it('are sent again after a collector was away and then refused what waited', async () => {
    answers = [away, refused]
    const queue = aQueue()
    fill(queue, 'a', 'b')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await dropped()).toEqual({ refused: 2 })
    fill(queue, 'c')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent.at(-1)).toEqual(['c'])
  })
})
