import { describe, expect, it } from 'vitest'
import { type Seen, ServerWatch } from './server-watch.ts'

const second = 1_000
const fallbackMs = 20 * second
const at = (seconds: number, stalledSince: number | null = null): Seen => ({
  now: seconds * second,
  stalledSince: stalledSince === null ? null : stalledSince * second,
})

describe('a task server', () => {
  it('a task server gets the tasks while it is reached and begins them', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.choose(at(0))).toBe('hand over')
    expect(watch.choose(at(1_000, 997))).toBe('hand over')
    expect(watch.isSuspect(at(1_000, 997))).toBe(false)
    expect(watch.away(1_000 * second)).toBeNull()
  })

  it('a task server is away when it cannot be reached for eight seconds, and not before', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    watch.choose(at(17))
    expect(watch.away(17 * second)).toBeNull()
    watch.choose(at(18))
    expect(watch.away(18 * second)).toEqual({ seconds: 8, reason: 'ECONNREFUSED' })
  })

  it('a task server is not away if it is reached in between', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    watch.reached('to run tasks')
    watch.failed(15 * second, 'to run tasks', 'ECONNREFUSED')
    watch.choose(at(22))
    expect(watch.away(22 * second)).toBeNull()
  })

  it('a task server is suspect when it begins no task for four seconds, and away after eight', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.isSuspect(at(103, 100))).toBe(false)
    expect(watch.isSuspect(at(104, 100))).toBe(true)
    watch.choose(at(107, 100))
    expect(watch.away(107 * second)).toBeNull()
    watch.choose(at(108, 100))
    expect(watch.away(108 * second)).toEqual({ seconds: 8, reason: 'begins no task' })
  })

  it('a failing task server gets tasks until the fallback time has passed', () => {
    for (const seconds of [5, 20, 120]) {
      const watch = new ServerWatch(seconds * second)
      watch.failed(0, 'to run tasks', 'ECONNREFUSED')
      expect(watch.choose(at(seconds - 1))).toBe('hand over')
      expect(watch.choose(at(seconds))).toBe('run here')
      expect(watch.away(seconds * second)).toMatchObject({ seconds })
    }
  })

  it('a task server is back when it begins a probe, and not when it accepts events', () => {
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

  it('a task server that only failed to register is back when it registers the functions', () => {
    const watch = new ServerWatch(fallbackMs)
    watch.failed(0, 'to register', 'ECONNREFUSED')
    expect(watch.choose(at(60))).toBe('run here')
    watch.reached('to register')
    expect(watch.choose(at(61))).toBe('hand over')
    expect(watch.away(61 * second)).toBeNull()
  })

  it.each([fallbackMs, null])('registering does not end other failures (fallback: %s)', (fallback) => {
    const watch = new ServerWatch(fallback)
    watch.failed(0, 'to run tasks', 'invalid event key')
    watch.choose(at(60))
    watch.reached('to register')
    watch.choose(at(61))
    expect(watch.away(61 * second)).toEqual({ seconds: 61, reason: 'invalid event key' })
  })

  it('without a fallback, a task server that is away still gets the tasks', () => {
    const watch = new ServerWatch(null)
    expect(watch.choose(at(100, 0))).toBe('hand over')
    expect(watch.away(100 * second)).toMatchObject({ seconds: 100 })
  })

  it('without a fallback, a task server is back when a task begins', () => {
    const watch = new ServerWatch(null)
    watch.choose(at(100, 0))
    watch.choose(at(101))
    expect(watch.away(101 * second)).toBeNull()
  })

  it('a failing task server is logged once a minute', () => {
    const watch = new ServerWatch(fallbackMs)
    expect(watch.toSay(0)).toBeNull()
    const said = [0, 1, 30, 59, 60, 61, 119, 120].filter((seconds) => {
      watch.failed(seconds * second, 'to run tasks', 'ECONNREFUSED')
      return watch.toSay(seconds * second) !== null
    })
    expect(said).toEqual([0, 60, 120])
  })

  it('a new failure of a task server is logged at once, but not each change between two reasons', () => {
    const watch = new ServerWatch(fallbackMs)
    const said = [1, 2, 3, 4, 61, 62].map((seconds) => {
      watch.failed(seconds * second, 'to run tasks', seconds % 2 ? 'ECONNREFUSED' : 'invalid signing key')
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual(['ECONNREFUSED', 'invalid signing key', null, null, 'ECONNREFUSED', 'invalid signing key'])
  })

  it('a task server that accepts tasks and begins none is logged once a minute', () => {
    const watch = new ServerWatch(fallbackMs)
    const said = [48, 49, 108, 109].map((seconds) => {
      watch.choose(at(seconds, 41))
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual([null, 'begins no task', null, 'begins no task'])
  })
})
