import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from './rate-limit.ts'

const start = Date.UTC(2026, 10, 20)

const allowed = (perMinute: number, moments: number[], limiter = new RateLimiter()) =>
  moments.filter((ms) => limiter.take('key', perMinute, start + ms).allowed).length

describe('rate limits', () => {
  it.each([
    [1_200, 40],
    [6_000, 200],
    [60, 2],
    [1, 1],
  ])('a rate limit of %i per minute allows a burst of %i requests', (perMinute, burst) => {
    expect(allowed(perMinute, Array(burst + 10).fill(0))).toBe(burst)
  })

  it('evenly spaced requests at the rate of a rate limit are accepted indefinitely', () => {
    const paceMs = 60_000 / 1_200
    expect(
      allowed(
        1_200,
        Array.from({ length: 5_000 }, (_, n) => n * paceMs),
      ),
    ).toBe(5_000)
  })

  it('in any period, a rate limit allows at most one burst more than its rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6_000 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 300 }),
        (perMinute, gaps) => {
          let ms = 0
          const moments = gaps.map((gap) => (ms += gap))
          const burst = Math.max(1, Math.floor((2 * perMinute) / 60))
          expect(allowed(perMinute, moments)).toBeLessThanOrEqual(
            burst + Math.ceil(((ms - (moments[0] ?? 0)) * perMinute) / 60_000),
          )
        },
      ),
    )
  })

  it('a request succeeds after the time in Retry-After', () => {
    const limiter = new RateLimiter()
    allowed(6, [0], limiter)
    const refused = limiter.take('key', 6, start + 1_000)
    expect(refused).toMatchObject({ allowed: false, limit: 6, remaining: 0, retryAfterSeconds: 9, resetSeconds: 9 })
    expect(limiter.take('key', 6, start + 1_000 + refused.retryAfterSeconds * 1_000).allowed).toBe(true)
  })

  it('the remaining requests decrease with each request and refill over time', () => {
    const limiter = new RateLimiter()
    const remaining = [0, 0, 0, 100, 60_000].map((ms) => limiter.take('key', 1_200, start + ms).remaining)
    expect(remaining).toEqual([39, 38, 37, 38, 39])
  })

  it('a rate limit of 0 accepts all requests, and other limits count each key separately', () => {
    const limiter = new RateLimiter()
    allowed(60, Array(500).fill(0), limiter)
    expect(limiter.take('key', 60, start + 1_000).allowed).toBe(true)
    expect(limiter.take('other', 60, start).remaining).toBe(1)
    expect(allowed(0, Array(10_000).fill(0), limiter)).toBe(10_000)
  })

  it('a rate limit of 300 per minute with a burst of 300 accepts 300 requests at once', () => {
    const limiter = new RateLimiter()
    const minute = Array.from({ length: 400 }, () => limiter.take('key', 300, start, 300).allowed)
    expect(minute.filter(Boolean).length).toBe(300)
    expect(limiter.take('key', 300, start + 200, 300)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('a rate limit does not reset or block when the system clock is set back', () => {
    const limiter = new RateLimiter()
    const later = start + 3_600_000
    for (let n = 0; n < 30; n++) limiter.take('key', 1_200, later)
    expect(limiter.take('key', 1_200, start)).toMatchObject({ allowed: true, remaining: 9 })
    expect(limiter.take('other', 1_200, start).remaining).toBe(39)
    expect(limiter.take('key', 1_200, start - 500)).toMatchObject({ allowed: false })
    expect(limiter.take('key', 1_200, start)).toMatchObject({ allowed: true, remaining: 8 })
    limiter.learn('key', 50, 2_000, start - 7_200_000)
    expect(limiter.take('key', 1_200, start - 7_200_000)).toMatchObject({ allowed: false, retryAfterSeconds: 2 })
  })

  it('a rate limiter drops the least recently used keys above its maximum', () => {
    const limiter = new RateLimiter(100)
    const isAllowed = (key: string) => limiter.take(key, 1, start).allowed
    expect([isAllowed('flood'), isAllowed('once')]).toEqual([true, true])
    for (let n = 0; n < 1_000; n++) {
      isAllowed(`other ${n}`)
      expect(isAllowed('flood')).toBe(false)
    }
    expect(isAllowed('once')).toBe(true)
    expect(Object.values(limiter)).toContainEqual(expect.objectContaining({ size: 100 }))
    expect(limiter.report(1_000).length).toBeLessThanOrEqual(100)
  })
})
