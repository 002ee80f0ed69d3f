import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secondsBetween } from './period.ts'
import { prorate } from './prorate.ts'

const day = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text)

function prorated({ from, until, paid, now, amount }: Record<'from' | 'until' | 'now', string> & Amounts) {
  const [startAt, endAt] = [day(from), day(until)]
  const period = { startAt, endAt, seconds: secondsBetween(startAt, endAt), paid }
  return prorate(period, day(now), { name: 'new', quantity: 1, amount, endAt }, { name: 'old', quantity: 1 })
}
interface Amounts {
  paid: bigint
  amount: bigint
}
const june = { from: '2025-06-01', until: '2025-07-01' }

describe('the proration of a change', () => {
  it.each([
    ['after half a month', { ...june, now: '2025-06-16', paid: 10_000n, amount: 30_000n }, 5_000n, 15_000n],
    ['after ten of thirty days', { ...june, now: '2025-06-11', paid: 10_000n, amount: 30_000n }, 6_667n, 20_000n],
    [
      'in a year of 365 days',
      { from: '2024-08-01', until: '2025-08-01', now: '2024-10-01', paid: 100_000n, amount: 300_000n },
      83_288n,
      249_863n,
    ],
    ['after one day', { ...june, now: '2025-06-02', paid: 500n, amount: 2_000n }, 483n, 1_933n],
    [
      'after half a month at double the price',
      { ...june, now: '2025-06-16', paid: 1_000n, amount: 2_000n },
      500n,
      1_000n,
    ],
    [
      'by the second instead of by the day',
      { ...june, now: '2025-06-11T12:00:00Z', paid: 3_000n, amount: 0n },
      1_950n,
      0n,
    ],
    ['from three seats to five', { ...june, now: '2025-06-16', paid: 3_000n, amount: 5_000n }, 1_500n, 2_500n],
    ['one second before the end', { ...june, now: '2025-06-30T23:59:59Z', paid: 2_999n, amount: 9_999n }, 0n, 0n],
    ['at the start of the period', { ...june, now: '2025-06-01', paid: 2_999n, amount: 9_999n }, 2_999n, 9_999n],
    ['to a lower price', { ...june, now: '2025-06-16', paid: 2_000n, amount: 500n }, 1_000n, 250n],
    ['a result of half a cent, rounded away from zero', { ...june, now: '2025-06-16', paid: 1n, amount: 3n }, 1n, 2n],
    ['in a period that was billed ahead', { ...june, now: '2025-05-20', paid: 1_000n, amount: 2_000n }, 1_000n, 2_000n],
    ['after the end of the paid period', { ...june, now: '2025-07-03', paid: 1_000n, amount: 2_000n }, 0n, 0n],
  ])('the proration computes the credit and the charge of a change: %s', (_, given, credit, charge) => {
    expect(prorated(given)).toMatchObject({ credit, charge })
  })

  it('the proration has one line for the unused time and one line for the remaining period', () => {
    const { lines } = prorated({ ...june, now: '2025-06-16', paid: 10_000n, amount: 30_000n })
    const span = { from: day('2025-06-16'), until: day('2025-07-01') }
    expect(lines).toEqual([
      { kind: 'unused', name: 'old', quantity: 1, ...span, amount: -5_000n },
      { kind: 'remaining', name: 'new', quantity: 1, ...span, amount: 15_000n },
    ])
  })

  it('the proration omits lines of zero, and has no line if the credit equals the charge', () => {
    expect(prorated({ ...june, now: '2025-06-16', paid: 10_000n, amount: 10_000n }).lines).toEqual([])
    expect(prorated({ ...june, now: '2025-06-30T23:59:59Z', paid: 2_999n, amount: 9_999n }).lines).toEqual([])
    const fromNothing = prorated({ ...june, now: '2025-06-16', paid: 0n, amount: 10_000n })
    expect(fromNothing.lines).toMatchObject([{ kind: 'remaining', amount: 5_000n }])
  })

  it('the proration in a shortened period uses the length of a full period', () => {
    const full = { startAt: day('2025-02-15'), seconds: secondsBetween(day('2025-02-15'), day('2025-03-15')) }
    const period = { ...full, endAt: day('2025-03-01'), paid: 1_000n }
    const next = { name: 'new', quantity: 1, amount: 2_000n, endAt: day('2025-03-01') }
    expect(prorate(period, day('2025-02-15'), next, { name: 'old', quantity: 1 })).toMatchObject({
      credit: 500n,
      charge: 1_000n,
    })
  })

  it('if a change moves the end of the period, the proration charges up to the new end', () => {
    const seconds = secondsBetween(day('2025-06-01'), day('2025-07-01'))
    const period = { startAt: day('2025-06-01'), endAt: day('2025-07-01'), seconds, paid: 3_000n }
    const until = (end: string) =>
      prorate(
        period,
        day('2025-06-16'),
        { name: 'new', quantity: 1, amount: 3_000n, endAt: day(end) },
        { name: 'old', quantity: 1 },
      )
    expect(until('2025-06-21')).toMatchObject({ credit: 1_500n, charge: 500n })
    expect(until('2025-07-11')).toMatchObject({ credit: 1_500n, charge: 2_500n })
  })
})

describe('the proration of any amount at any time', () => {
  const amount = fc.bigInt({ min: 0n, max: 9_999_999_999n })
  const second = fc.integer({ min: 0, max: 30 * 86_400 })
  const at = (seconds: number) => new Date(day('2025-06-01').getTime() + seconds * 1000).toISOString()

  it('the proration never credits more than was paid or charges more than the price', () => {
    fc.assert(
      fc.property(amount, amount, second, (paid, price, seconds) => {
        const { credit, charge, lines } = prorated({ ...june, now: at(seconds), paid, amount: price })
        expect(credit >= 0n && credit <= paid).toBe(true)
        expect(charge >= 0n && charge <= price).toBe(true)
        expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(charge - credit)
      }),
    )
  })

  it('the proration of a change and of its reversal at the same time sums to zero', () => {
    fc.assert(
      fc.property(amount, amount, second, (one, other, seconds) => {
        const there = prorated({ ...june, now: at(seconds), paid: one, amount: other })
        const back = prorated({ ...june, now: at(seconds), paid: other, amount: one })
        expect([back.credit, back.charge]).toEqual([there.charge, there.credit])
      }),
    )
  })

  it('the prices of the used time and the remaining time sum to the full price, or to one cent more', () => {
    fc.assert(
      fc.property(amount, second, (paid, seconds) => {
        const { credit } = prorated({ ...june, now: at(seconds), paid, amount: 0n })
        const used = prorated({
          from: june.from,
          until: at(30 * 86_400),
          now: at(30 * 86_400 - seconds),
          paid,
          amount: 0n,
        })
        const difference = credit + used.credit - paid
        expect(difference === 0n || difference === 1n).toBe(true)
      }),
    )
  })
})
