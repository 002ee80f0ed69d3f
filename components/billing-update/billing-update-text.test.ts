import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { aBillingQuote } from '@/e2e/fixtures/hosted-pages.ts'
import type { BillingUpdateQuote } from '@/lib/modules/billing-updates/page.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { billingUpdateText } from './billing-update-text.ts'

const t = createTranslator({ locale: 'en', messages })
const textOf = (quote: Partial<BillingUpdateQuote>) => {
  const { nextCharge, changed } = billingUpdateText(aBillingQuote(quote), 'en', t)
  return { label: read(nextCharge?.label), sentence: read(nextCharge?.sentence), changed: read(changed) }
}
const read = (text?: string) => text?.replaceAll('\u00a0', ' ')
const eur = (value: string) => ({ value, currency: 'EUR' }) as const
const waiting = { count: 1, total: eur('12.10') }
const owed = { waiting, toPay: eur('24.20') }

describe('the billing-update page', () => {
  const tax = 'Tax on all further periods follows the new details.'

  it('the billing-update text says "next charge" if no other charge precedes it', () => {
    expect(textOf({}).label).toBe('Next charge on 20 December 2026')
    expect(textOf({}).sentence).toBe(`Next charge: €12.10 on 20 December 2026. ${tax}`)
  })

  it.each([
    ['a payment is overdue', { toPay: eur('12.10') }],
    ['periods wait for an overdue payment', owed],
    ['the payment is pending', { waiting }],
  ])('the billing-update text says "next regular charge" while %s', (_, quote) => {
    const { label, sentence } = textOf(quote)
    expect(label).toBe('Next regular charge on 20 December 2026')
    expect(sentence).toBe(`Next regular charge: €12.10 on 20 December 2026. ${tax}`)
  })

  it('the billing-update text tells screen readers which amounts changed with the country', () => {
    const next = 'The charge on 20 December 2026 is now €12.10.'
    expect(textOf({}).changed).toBe(next)
    expect(textOf(owed).changed).toBe(`The total to pay is now €24.20. ${next}`)
    expect(textOf({ waiting }).changed).toBe(
      `Once the open payment is made, a further period is charged at once as well: €12.10. ${next}`,
    )
    // The amount of a declined payment does not depend on the country.
    expect(textOf({ toPay: eur('12.10') }).changed).toBe(next)
    expect(textOf({ nextCharge: null, ...owed }).changed).toBe('The total to pay is now €24.20.')
    expect(textOf({ nextCharge: null }).changed).toBe('')
  })
})
