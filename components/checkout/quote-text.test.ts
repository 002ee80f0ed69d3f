import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { aMixedQuote, aQuote, aQuoteBeforeTax, aTrialQuote } from '@/e2e/fixtures/hosted-pages.ts'
import type { Quote } from '@/lib/modules/checkouts/page.ts'
import de from '@/messages/de.json' with { type: 'json' }
import en from '@/messages/en.json' with { type: 'json' }
import fr from '@/messages/fr.json' with { type: 'json' }
import { type QuoteText, quoteText } from './quote-text.ts'

/** Replaces non-breaking spaces with plain spaces. The tests of the number and date formats check the non-breaking spaces. */
const read = (text: QuoteText): QuoteText => JSON.parse(JSON.stringify(text).replaceAll('\u00a0', ' '))
const english = (quote: Quote) => read(quoteText(quote, 'en', createTranslator({ locale: 'en', messages: en })))
const french = (quote: Quote) => read(quoteText(quote, 'fr', createTranslator({ locale: 'fr', messages: fr })))
const german = (quote: Quote) => read(quoteText(quote, 'de', createTranslator({ locale: 'de', messages: de })))
const eur = (value: string) => ({ value, currency: 'EUR' as const })

describe('the text about renewals', () => {
  it('the text about renewals states the amount due today, the next amounts, and their dates', () => {
    expect(english(aQuote()).renewal).toEqual({
      beforeTax: '',
      sentence: '€41.65 today, then €11.90 every month from 20 December 2026 until you cancel.',
      items: [],
    })
  })

  it('the text about a trial states that nothing is due before its end', () => {
    expect(english(aTrialQuote()).renewal?.sentence).toBe(
      'Nothing today. €11.90 every month from 4 December 2026, unless you cancel before.',
    )
  })

  it('the text about a trial and a one-off product states the amounts due today and later', () => {
    const quote = { ...aTrialQuote(), total: eur('29.75') }
    expect(english(quote).renewal?.sentence).toBe(
      '€29.75 today. Team plan is free until 4 December 2026, then €11.90 every month until you cancel.',
    )
  })

  it('the text about several subscriptions lists each subscription with its interval and date', () => {
    expect(english(aMixedQuote()).renewal).toEqual({
      beforeTax: '',
      sentence: '€35.00 today, then until you cancel:',
      items: [
        'Team plan: €10.00 every month from 20 December 2026',
        '3 × Backups: €29.97 every 3 months from 4 December 2026',
      ],
    })
  })

  it('the text about renewals distinguishes subscriptions to the same plan by quantity', () => {
    const [renewal] = aQuote().renewals
    if (!renewal) throw new Error('No renewal')
    const renewals = [renewal, { ...renewal, quantity: 1200, price: eur('14280.00') }]
    expect(german(aQuote({ renewals })).renewal?.items).toEqual([
      'Team plan: 11,90 € pro Monat ab dem 20. Dezember 2026',
      '1.200 × Team plan: 14.280,00 € pro Monat ab dem 20. Dezember 2026',
    ])
  })

  it('the text about renewals is empty if nothing renews', () => {
    expect(english(aQuote({ renewals: [] })).renewal).toBeNull()
  })

  it('the date in the text about renewals is in the time zone of the browser', () => {
    const [renewal] = aQuote().renewals
    if (!renewal) throw new Error('No renewal')
    const late = { renewals: [{ ...renewal, nextChargeAt: '2026-12-20T20:30:00Z' }] }
    expect(english(aQuote(late)).renewal?.sentence).toContain('20 December 2026')
    expect(english(aQuote({ ...late, timeZone: 'Asia/Tokyo' })).renewal?.sentence).toContain('21 December 2026')
  })

  it('the text about renewals is in the reader’s language', () => {
    expect(german(aQuote()).renewal?.sentence).toBe(
      'Heute 41,65 €, danach 11,90 € pro Monat ab dem 20. Dezember 2026, bis Sie kündigen.',
    )
  })
})

describe('the sums of a quote', () => {
  it('if prices exclude tax, the rows above the total of a quote are the subtotal and one row per tax rate, with the country', () => {
    const quote = aQuote({
      country: 'CA',
      taxes: [
        { name: 'GST', percentage: 5, amount: eur('1.75') },
        { name: 'QST', percentage: 9.975, amount: eur('3.49') },
      ],
    })
    expect(english(quote).above).toEqual([
      { label: 'Subtotal', amount: '€35.00' },
      { label: 'GST 5%, Canada', amount: '€1.75' },
      { label: 'QST 9.975%, Canada', amount: '€3.49' },
    ])
    expect(english(quote).below).toEqual([])
    expect(french(quote).above.map(({ label }) => label)).toEqual([
      'Sous-total HT',
      'TPS 5 %, Canada',
      'TVQ 9,975 %, Canada',
    ])
  })

  it('the sums of a quote state the tax of gross prices below the total', () => {
    expect(english(aMixedQuote()).above).toEqual([])
    expect(english(aMixedQuote()).below).toEqual([{ label: 'Includes VAT 19%, Germany', amount: '€5.59' }])
    expect(german(aMixedQuote()).below).toEqual([{ label: 'Enthält 19 % USt., Deutschland', amount: '5,59 €' }])
  })

  it('the sums of a quote name a reverse charge instead of a rate of zero', () => {
    const taxes = [{ name: 'Reverse charge', percentage: 0, amount: eur('0.00') }]
    expect(english(aQuote({ reverseCharge: true, taxes })).above[1]).toEqual({
      label: 'Reverse charge, Germany',
      amount: '€0.00',
    })
  })

  it.each(['exclusive', 'inclusive'] as const)(
    'if a sale is outside the scope of VAT, the sums of the quote show no tax rate (tax behavior: %s)',
    (taxBehavior) => {
      const taxes = [{ name: 'Outside scope', percentage: 0, amount: eur('0.00') }]
      const quote = aQuote({ country: 'CH', taxes, taxBehavior })
      const labels = ({ above, below }: QuoteText) => [...above, ...below].map(({ label }) => label)
      expect(labels(english(quote))).toContain('Outside the scope of EU VAT, Switzerland')
      expect(labels(german(quote))).toContain('Nicht steuerbar in der EU, Schweiz')
    },
  )

  it('the sums of a quote show a line in its trial as free, with the end of the trial', () => {
    expect(english(aTrialQuote()).lines).toMatchObject([
      { unit: '1 × €10.00 every month', amount: '€0.00', note: 'Free until 4 December 2026' },
    ])
  })

  it('the sums of a quote keep the last digit of an amount beyond the precision of a Number', () => {
    expect(english(aQuote({ total: eur('90071992547409.93') })).total).toBe('€90,071,992,547,409.93')
  })

  it('the field `seenPrices` of the quote text contains the prices that the page shows to the buyer', () => {
    expect(english(aQuote()).seenPrices).toBe('41.65 EUR, 11.90 EUR')
  })
})

it.each([
  ['Pay €41.65', aQuote()],
  ['Start free trial', aTrialQuote()],
  ['Complete order', aQuote({ total: eur('0.00'), renewals: [], asksForMethod: false })],
  ['Complete order', { ...aTrialQuote(), asksForMethod: false }],
])('the pay button has the text %s', (label, quote) => {
  expect(english(quote).confirm).toBe(label)
})

describe('while no country is chosen', () => {
  it('if no country is chosen, the quote of net prices shows the total before tax, and says that tax depends on the country', () => {
    const text = english(aQuoteBeforeTax())
    expect(text).toMatchObject({
      total: '€35.00',
      totalLabel: 'Total before tax',
      dueLabel: 'Due today, before tax',
      above: [{ label: 'Tax', amount: 'by your country' }],
      below: [],
      confirm: 'Pay',
    })
    expect(text.renewal).toMatchObject({
      beforeTax: 'Before tax, which depends on your country.',
      sentence: '€35.00 today, then €10.00 every month from 20 December 2026 until you cancel.',
    })
  })

  it('if no country is chosen, the quote of prices that include tax shows the total', () => {
    const text = english({ ...aQuoteBeforeTax(), taxBehavior: 'inclusive' })
    expect(text).toMatchObject({ totalLabel: 'Total due today', above: [], below: [], confirm: 'Pay €35.00' })
    expect(text.renewal).toMatchObject({ beforeTax: '', sentence: expect.stringMatching(/^€35.00 today/) })
  })
})

it('the quote asks for no consent to renewals that are free', () => {
  expect(english(aTrialQuote())).toMatchObject({ asksForMethod: true, renewal: { items: [] } })
  expect(english({ ...aTrialQuote(), asksForMethod: false })).toMatchObject({ asksForMethod: false, renewal: null })
})
