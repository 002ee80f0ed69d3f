import { describe, expect, it } from 'vitest'
import { type Seen, ServerWatch } from './server-watch.ts'

const second = 1_000
const fallbackMs = 20 * second
const at = (seconds: number, stalledSince: number | null = null): Seen => ({
  now: seconds * second,
  stalledSince: stalledSince === null ? null : stalledSince * second,
})

describe('task server state', () => {
  it('tasks are handed over to a task server that accepts and starts them', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.choose(at(0))).toBe('hand over')
    expect(watch.choose(at(1_000, 997))).toBe('hand over')
    expect(watch.isSuspect(at(1_000, 997))).toBe(false)
    expect(watch.away(1_000 * second)).toBeNull()
  })

  it('a task server counts as unavailable after it was unreachable for eight seconds', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    watch.choose(at(17))
    expect(watch.away(17 * second)).toBeNull()
    watch.choose(at(18))
    expect(watch.away(18 * second)).toEqual({ seconds: 8, reason: 'ECONNREFUSED' })
  })

  it('a successful request restarts the eight seconds after which a task server counts as unavailable', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    watch.reached('to run tasks')
    watch.failed(15 * second, 'to run tasks', 'ECONNREFUSED')
    watch.choose(at(22))
    expect(watch.away(22 * second)).toBeNull()
  })

  it('a task server that starts no waiting task is suspect after four seconds, and unavailable after eight seconds', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.isSuspect(at(103, 100))).toBe(false)
    expect(watch.isSuspect(at(104, 100))).toBe(true)
    watch.choose(at(107, 100))
    expect(watch.away(107 * second)).toBeNull()
    watch.choose(at(108, 100))
    expect(watch.away(108 * second)).toEqual({ seconds: 8, reason: 'starts no task' })
  })

  it('tasks run in this process after the task server was unreachable for the fallback time', () => {
    for (const seconds of [5, 20, 120]) {
      const watch = new ServerWatch(seconds * second)
      watch.failed(0, 'to run tasks', 'ECONNREFUSED')
      expect(watch.choose(at(seconds - 1))).toBe('hand over')
      expect(watch.choose(at(seconds))).toBe('run here')
      expect(watch.away(seconds * second)).toMatchObject({ seconds })
    }
  })

  it('after an outage, a task server is used again when it starts a probe, not when it accepts events', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(0, 'to run tasks', 'ECONNREFUSED')
    expect(watch.choose(at(20))).toBe('run here')
    watch.reached('to run tasks')
    expect(watch.choose(at(21))).toBe('run here')
    expect(watch.isSuspect(at(21))).toBe(true)
    watch.began()
    expect(watch.choose(at(22))).toBe('hand over')
    expect(watch.away(22 * second)).toBeNull()
    expect(watch.isSuspect(at(22))).toBe(false)
  })

  it('after a failed registration of the functions, a task server is used again as soon as a registration succeeds', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(0, 'to register', 'ECONNREFUSED')
    expect(watch.choose(at(60))).toBe('run here')
    watch.reached('to register')
    expect(watch.choose(at(61))).toBe('hand over')
    expect(watch.away(61 * second)).toBeNull()
  })

  it.each([fallbackMs, null])(
    'if the hand-over of tasks failed, a successful registration of our functions does not end the outage (fallback: %s)',
    (fallback) => {
      const watch = new ServerWatch(fallback)
      watch.failed(0, 'to run tasks', 'invalid event key')
      watch.choose(at(60))
      watch.reached('to register')
      watch.choose(at(61))
      expect(watch.away(61 * second)).toEqual({ seconds: 61, reason: 'invalid event key' })
    },
  )

  it('without a fallback, tasks are handed over even while the task server is unavailable', () => {
    const watch = new ServerWatch(null)
    expect(watch.choose(at(100, 0))).toBe('hand over')
    expect(watch.away(100 * second)).toMatchObject({ seconds: 100 })
  })

  it('without a fallback, a task server counts as available as soon as it starts a task', () => {
    const watch = new ServerWatch(null)
    watch.choose(at(100, 0))
    watch.choose(at(101))
    expect(watch.away(101 * second)).toBeNull()
  })

  it('a failure of a task server is logged once per minute', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.toSay(0)).toBeNull()
    const said = [0, 1, 30, 59, 60, 61, 119, 120].filter((seconds) => {
      watch.failed(seconds * second, 'to run tasks', 'ECONNREFUSED')
      return watch.toSay(seconds * second) !== null
    })
    expect(said).toEqual([0, 60, 120])
  })

  it('each reason for a failure of a task server is logged at most once per minute', () => {
    const watch = new ServerWatch(fallbackMs)
    const said = [1, 2, 3, 4, 61, 62].map((seconds) => {
      watch.failed(seconds * second, 'to run tasks', seconds % 2 ? 'ECONNREFUSED' : 'invalid signing key')
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual(['ECONNREFUSED', 'invalid signing key', null, null, 'ECONNREFUSED', 'invalid signing key'])
  })

  it('one log line per minute reports that a task server accepts tasks but starts no task', () => {
    const watch = new ServerWatch(fallbackMs)
    const said = [48, 49, 108, 109].map((seconds) => {
      watch.choose(at(seconds, 41))
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual([null, 'starts no task', null, 'starts no task'])
  })
})
