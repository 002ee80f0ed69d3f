import { describe, expect, it } from 'vitest'
import { closeDatabase, db } from '../db/db.ts'
import { deleteOldLimits, SharedLimits } from './shared-limits.ts'

const processes = (count: number) => Array.from({ length: count }, () => new SharedLimits())
const perMinute = 600
const burst = 20
const grants = (limits: SharedLimits, key: string, times: number) =>
  Array.from({ length: times }, () => limits.limiter('key').take(key, perMinute, Date.now(), burst)).filter(
    ({ allowed }) => allowed,
  ).length
const state = (limits: SharedLimits, key: string) => limits.limiter('key').take(key, perMinute, Date.now(), burst)
const rows = () => db().$queryRaw<{ key: string; ahead: number }[]>`
  SELECT key, extract(epoch FROM arrival - clock_timestamp())::float8 * 1000 AS ahead FROM rate_limits`

describe('rate limits of several processes', () => {
  it('processes share a rate limit, and requests above the limit increase the time in Retry-After', async () => {
    const [one, two, three] = processes(3) as [SharedLimits, SharedLimits, SharedLimits]
    const granted = [one, two, three].map((each) => grants(each, 'shared', 30))
    expect(granted.every((each) => each >= burst && each <= burst + 2)).toBe(true)
    for (const each of [one, two, three]) await each.report()
    // At 600 requests per minute, 60 requests take six seconds. The burst covers two of these seconds, so the next
    // request is accepted about four seconds later.
    const verdict = state(three, 'shared')
    expect(verdict).toMatchObject({ allowed: false, remaining: 0 })
    expect(verdict.retryAfterSeconds).toBeGreaterThanOrEqual(3)
    expect(state(one, 'shared').retryAfterSeconds).toBeLessThan(verdict.retryAfterSeconds)
  })

  it('a process gets the counts of other processes when it reports its own counts', async () => {
    const [one, two] = processes(2) as [SharedLimits, SharedLimits]
    grants(one, 'learned', 12)
    await one.report()
    grants(two, 'learned', 4)
    await two.report()
    const { remaining } = state(two, 'learned')
    expect(remaining).toBeLessThanOrEqual(8)
    // A burst of 20 minus 17 requests leaves 3, or 2 if the clocks differ by a millisecond.
    expect(remaining).toBeGreaterThanOrEqual(2)
  })

  it('a process reports the counts of each key and limit separately, and does not report keys with few requests', async () => {
    const [one] = processes(1) as [SharedLimits]
    const before = (await rows()).length
    grants(one, 'rare', 2)
    await one.report()
    expect(await rows()).toHaveLength(before)
    grants(one, 'often', 10)
    one.limiter('form').take('often', perMinute, Date.now(), 1)
    await one.report()
    expect(await rows()).toHaveLength(before + 2)
    expect((await rows()).some(({ key }) => key.includes('often'))).toBe(false)
  })

  it('each of two concurrent reports by different processes is counted exactly once', async () => {
    const both = processes(2)
    for (const each of both) for (let n = 0; n < 50; n++) grants(each, `many ${n}`, 10)
    const began = performance.now()
    const before = new Set((await rows()).map(({ key }) => key))
    await Promise.all(both.map((each) => each.report()))
    const added = (await rows()).filter(({ key }) => !before.has(key))
    expect(added).toHaveLength(50)
    for (const { ahead } of added) {
      expect(ahead).toBeLessThanOrEqual(2_000)
      expect(ahead).toBeGreaterThan(2_000 - (performance.now() - began) - 5)
    }
  })

  it('a shared count is reset if its time is in the future because the clock was set back', async () => {
    const [one, two] = processes(2) as [SharedLimits, SharedLimits]
    const known = (await rows()).map(({ key }) => key)
    grants(one, 'put back', 10)
    await one.report()
    const [own] = (await rows()).filter(({ key }) => !known.includes(key))
    await db().$executeRaw`UPDATE rate_limits SET arrival = now() + interval '1 hour' WHERE key = ${own?.key}`
    for (const each of [one, two]) {
      grants(each, 'put back', 4)
      await each.report()
      expect(state(each, 'put back')).toMatchObject({ allowed: true })
    }
    const [after] = (await rows()).filter(({ key }) => key === own?.key)
    expect(after?.ahead).toBeLessThan(2_000)
  })

  it('a process counts requests while the database is unavailable and reports them afterwards', async () => {
    const [one, two] = processes(2) as [SharedLimits, SharedLimits]
    await db().$executeRaw`ALTER TABLE rate_limits RENAME TO rate_limits_away`
    try {
      expect(grants(one, 'away', 12)).toBe(12)
      await one.report()
      expect(grants(one, 'away', 2)).toBe(2)
    } finally {
      await db().$executeRaw`ALTER TABLE rate_limits_away RENAME TO rate_limits`
    }
    await one.report()
    grants(two, 'away', 4)
    await two.report()
    expect(state(two, 'away').remaining).toBeLessThanOrEqual(8)
  })
})

it('deleteOldLimits deletes only counts that no longer limit a request', async () => {
  await db().$executeRaw`INSERT INTO rate_limits VALUES ('old', now() - interval '2 minutes'), ('new', now())`
  expect(await deleteOldLimits()).toBe(1)
  expect((await rows()).some(({ key }) => key === 'new')).toBe(true)
  await closeDatabase()
})
