import { describe, expect, it } from 'vitest'
import { type Probe, type Seen, ServerWatch } from './server-watch.ts'

const second = 1_000
const at = (seconds: number, waitingSince: number | null = null, probe: Probe = 'none'): Seen => ({
  now: seconds * second,
  waitingSince: waitingSince === null ? null : waitingSince * second,
  probe,
})

describe('a task server', () => {
  it('gets the tasks while it is reached and begins them', () => {
    const watch = new ServerWatch(true)
    expect(watch.choose(at(0))).toBe('hand over')
    expect(watch.choose(at(1_000, 950))).toBe('hand over')
    expect(watch.away(1_000 * second)).toBeNull()
  })

  it('is away when it cannot be reached for a minute, and not before', () => {
    const watch = new ServerWatch(true)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    expect(watch.choose(at(69))).toBe('hand over')
    expect(watch.choose(at(70))).toBe('run here')
    expect(watch.away(75 * second)).toEqual({ seconds: 65, reason: 'ECONNREFUSED' })
  })

  it('is not away if it is reached in between', () => {
    const watch = new ServerWatch(true)
    watch.failed(10 * second, 'to run tasks', 'ECONNREFUSED')
    watch.reached('to run tasks')
    watch.failed(60 * second, 'to run tasks', 'ECONNREFUSED')
    expect(watch.choose(at(100))).toBe('hand over')
  })

  it('is away when it takes tasks and begins none for a minute', () => {
    const watch = new ServerWatch(true)
    expect(watch.choose(at(100, 41))).toBe('hand over')
    expect(watch.choose(at(101, 41))).toBe('run here')
    expect(watch.away(101 * second)).toEqual({ seconds: 60, reason: 'begins no task' })
  })

  it('is tried with one task every half minute, and gets all of them when that one begins', () => {
    const watch = new ServerWatch(true)
    watch.failed(0, 'to run tasks', 'ECONNREFUSED')
    const seen: [Seen, string][] = [
      [at(60), 'run here'],
      [at(89), 'run here'],
      [at(90), 'probe'],
      [at(91, 90, 'waits'), 'run here'],
      [at(125, 90, 'waits'), 'run here'],
      [at(126, null, 'lost'), 'probe'],
      [at(127, 126, 'waits'), 'run here'],
      [at(128, null, 'begun'), 'hand over'],
      [at(129), 'hand over'],
    ]
    for (const [state, choice] of seen) {
      expect([state.now, watch.choose(state)]).toEqual([state.now, choice])
      if (choice === 'probe') watch.probed(state.now)
    }
    expect(watch.away(129 * second)).toBeNull()
  })

  it('is tried with the first task that there is, however long there was none', () => {
    const watch = new ServerWatch(true)
    watch.failed(0, 'to run tasks', 'ECONNREFUSED')
    const choices = [60, 90, 91, 95].map((seconds) => watch.choose(at(seconds)))
    expect(choices).toEqual(['run here', 'probe', 'probe', 'probe'])
    watch.probed(95 * second)
    expect(watch.choose(at(124))).toBe('run here')
    expect(watch.choose(at(125))).toBe('probe')
  })

  it('is back when it registers the functions, if nothing else had failed', () => {
    const watch = new ServerWatch(true)
    watch.failed(0, 'to register', 'ECONNREFUSED')
    expect(watch.choose(at(60))).toBe('run here')
    watch.reached('to register')
    expect(watch.choose(at(61))).toBe('hand over')
    expect(watch.away(61 * second)).toBeNull()
  })

  it.each([true, false])('is not back by that when it does not take tasks (fallback: %s)', (fallback) => {
    const watch = new ServerWatch(fallback)
    watch.failed(0, 'to run tasks', 'invalid event key')
    watch.choose(at(60))
    watch.reached('to register')
    watch.choose(at(61))
    expect(watch.away(61 * second)).toEqual({ seconds: 61, reason: 'invalid event key' })
  })

  it('gets the tasks all the same without a fallback, and is known to be away', () => {
    const watch = new ServerWatch(false)
    expect(watch.choose(at(100, 0))).toBe('hand over')
    expect(watch.away(100 * second)).toMatchObject({ seconds: 100 })
  })

  it('is back without a fallback when a task begins', () => {
    const watch = new ServerWatch(false)
    watch.choose(at(100, 0))
    watch.choose(at(101))
    expect(watch.away(101 * second)).toBeNull()
  })

  it('is logged once a minute while it fails', () => {
    const watch = new ServerWatch(true)
    expect(watch.toSay(0)).toBeNull()
    const said = [0, 1, 30, 59, 60, 61, 119, 120].filter((seconds) => {
      watch.failed(seconds * second, 'to run tasks', 'ECONNREFUSED')
      return watch.toSay(seconds * second) !== null
    })
    expect(said).toEqual([0, 60, 120])
  })

  it('is logged at once with another reason, but not at every change between two of them', () => {
    const watch = new ServerWatch(true)
    const said = [1, 2, 3, 4, 61, 62].map((seconds) => {
      watch.failed(seconds * second, 'to run tasks', seconds % 2 ? 'ECONNREFUSED' : 'invalid signing key')
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual(['ECONNREFUSED', 'invalid signing key', null, null, 'ECONNREFUSED', 'invalid signing key'])
  })

  it('is logged once a minute while it takes tasks and begins none', () => {
    const watch = new ServerWatch(true)
    const said = [100, 101, 160, 161].map((seconds) => {
      watch.choose(at(seconds, 41))
      return watch.toSay(seconds * second)
    })
    expect(said).toEqual([null, 'begins no task', null, 'begins no task'])
  })
})
