import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import { asked, changeOf, plans } from '../../../testing/random-change.ts'
import { anOrder } from '../../orders/examples.ts'
import { noTaxFacts } from '../../tax/rules/tax-facts.ts'
import { aChangeNow, aSubscription, euros, inEachState } from '../examples.ts'
import { type BillingLine, orderOf } from './bill.ts'
import { change } from './change.ts'
import type { Changed } from './change-request.ts'
import { type Charge, nextRenewal, previewed } from './preview.ts'
import { renew } from './renew.ts'
import { nextRenewalAt, type Subscription } from './subscription.ts'

const at = (moment: string) => new Date(moment)
const hour = 3_600_000

function amountsOf(subscription: Subscription, lines: readonly BillingLine[], now: Date, taxedAt?: Date) {
  const order = orderOf(subscription, lines, {
    id: 'order_1',
    lineIds: [],
    seller: anOrder().seller,
    email: null,
    now,
    taxedAt,
    exchangeRate: null,
    describe: () => ({ description: '', invoiceDescription: null }),
  })
  const { subtotal, total, taxSummary } = order
  return { lines: order.lines.map(({ id, ...line }) => line), subtotal, total, taxSummary }
}
const shown = (charge: Charge | null) => charge && amountsOf(charge.subscription, charge.lines, charge.at)

/** The VAT rate in Estonia is 22 % until the end of June 2025, and 24 % from July on. */
const inEstonia = {
  testmode: false,
  taxFacts: noTaxFacts,
  billingAddress: { ...aSubscription().billingAddress, country: 'EE' },
} as const

describe('a preview', () => {
  it('the preview of a scheduled change shows no immediate charge, and shows the renewal on the new terms', () => {
    const scheduled = change(
      aSubscription(),
      { ...aChangeNow({ quantity: 3 }), applyImmediately: false },
      at('2025-06-16'),
    )
    const { dueNow, nextRenewal } = previewed(scheduled, at('2025-06-16'))
    expect(dueNow).toBeNull()
    expect(nextRenewal).toMatchObject({
      at: at('2025-07-01'),
      lines: [{ kind: 'period', unitPrice: 10_000n, quantity: 3 }],
    })
  })

  it('a preview shows no renewal of a subscription that does not renew', () => {
    const { on_grace_period: canceled } = inEachState
    const changed = change(canceled, aChangeNow({ quantity: 2 }), at('2025-06-16'))
    expect(previewed(changed, at('2025-06-16')).nextRenewal).toBeNull()
  })

  it('a preview shows an overdue renewal as a charge at the current time', () => {
    expect(nextRenewal(aSubscription(), at('2025-07-03'))?.at).toEqual(at('2025-07-03'))
  })

  it('a preview taxes the change at the current rate and the renewal at the rate of the renewal day', () => {
    const asOf = at('2025-06-30T23:30:00Z')
    const changed = change(
      aSubscription(inEstonia),
      aChangeNow({ price: euros(100_000_000n), invoiceImmediately: true }),
      asOf,
    )
    const { dueNow, nextRenewal } = previewed(changed, asOf)
    const rates = (charge: Charge | null) => shown(charge)?.taxSummary.map(({ rate }) => rate.percentage)
    expect([rates(dueNow), rates(nextRenewal)]).toEqual([['22'], ['24']])
    const charged = amountsOf(changed.next, changed.lines, at('2025-07-01T00:10:00Z'), asOf)
    expect(charged).toEqual(shown(dueNow))
  })
})

function attempt(what: () => Changed): Changed | null {
  try {
    return what()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const begin = at('2025-06-01T00:00:00Z')
const lastHour = 29 * 24 + 23
const moments = fc.oneof(
  fc.integer({ min: 0, max: 30 * 24 * hour - 1 }),
  fc.integer({ min: lastHour * hour, max: (lastHour + 1) * hour - 1 }),
)
const history = fc.record({
  state: fc.constantFrom('active', 'active', 'active', 'active', 'trial', 'paused', 'on_grace_period'),
  terms: fc.constantFrom(...plans),
  quantity: fc.integer({ min: 1, max: 9 }),
  place: fc.constantFrom({}, inEstonia),
  taxBehavior: fc.constantFrom('exclusive', 'inclusive'),
  earlier: fc.array(asked, { maxLength: 2 }),
  asked,
  after: moments,
  delay: fc.integer({ min: 0, max: 3600 }),
})

describe('2,000 random previews', () => {
  it('a preview shows the exact charges for the change and for the next renewal, even if the change is made up to an hour later', () => {
    const seen = { refused: 0, charged: 0, renewed: 0 }
    fc.assert(
      fc.property(history, ({ state, terms, quantity, place, taxBehavior, earlier, delay, ...rest }) => {
        const asOf = new Date(begin.getTime() + Math.floor(rest.after / 1000) * 1000)
        const { status, resumesTo, canceledAt, cancellationReason } = inEachState[state]
        const lived = { status, resumesTo, canceledAt, cancellationReason }
        let before = aSubscription({
          ...(state === 'trial' ? inEachState.trial : lived),
          ...terms,
          ...place,
          quantity,
          taxBehavior,
        })
        for (const each of earlier)
          before = attempt(() => change(before, changeOf(each, before, begin), begin))?.next ?? before

        const request = changeOf(rest.asked, before, asOf)
        // PATCH with `asOf` computes the change at the time of the preview, and creates the order at the current time.
        const made = attempt(() => change(before, request, asOf))
        if (!made) return void seen.refused++
        const { dueNow, nextRenewal } = previewed(made, asOf)

        const madeAt = new Date(asOf.getTime() + delay * 1000)
        if (made.lines.length > 0) {
          seen.charged++
          expect(shown(dueNow)).toEqual(amountsOf(made.next, made.lines, madeAt, asOf))
        } else expect(dueNow).toBeNull()

        const due = nextRenewalAt(made.next)
        expect(nextRenewal === null).toBe(due === null)
        if (!due || due <= asOf) return
        seen.renewed++
        const billed = renew(made.next, { due, now: due })
        expect(nextRenewal?.at).toEqual(due)
        expect(shown(nextRenewal)).toEqual(amountsOf(billed.next, billed.lines, due))
      }),
      { numRuns: 2_000 },
    )
    expect(seen.charged).toBeGreaterThan(150)
    expect(seen.renewed).toBeGreaterThan(700)
    expect(seen.refused).toBeGreaterThan(100)
  }, 120_000)
})
