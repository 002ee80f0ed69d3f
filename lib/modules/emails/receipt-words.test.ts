import { describe, expect, it } from 'vitest'
import { day, money } from '../../kernel/format.ts'
import { locales } from '../../kernel/locale.ts'
import { translator } from '../../platform/translate.ts'
import { read, shown } from '../../testing/email-text.ts'
import { compose } from './compose.ts'
import { emailExamples } from './examples.ts'

const purchase = emailExamples.receipt
const [pro] = purchase.subscriptions
if (!pro) throw new Error('the example sells a subscription')
const renewal = { ...purchase, of: 'subscription' } as const
const euros = (value: string) => ({ value, currency: 'EUR' }) as const

describe.each(locales)('emails in the language %s', (locale) => {
  it.each([
    ['of a purchase', purchase],
    ['of a renewal', renewal],
    ['of a payment that had failed', emailExamples.payment_recovered],
  ])(
    'the receipt %s states the invoice number, the lines, the taxes, the total, and the next charge',
    async (_, content) => {
      const { subject, text, html } = await compose(content, locale, false)
      expect(subject).toContain('INV-2026-000042')
      for (const body of [read(text), read(shown(html))]) {
        for (const value of ['10.00', '20.00', '30.00', '6.30', '36.30', '12.10'])
          expect(body).toContain(read(money(euros(value), locale)))
        for (const words of ['INV-2026-000042', 'Pro', '2 × Handbook', '21', day('2026-12-22T09:30:00Z', locale)])
          expect(body).toContain(read(words))
        expect(body.split(purchase.portalUrl)).toHaveLength(2)
        expect(body).not.toMatch(/[{}!]|undefined|\bnull\b|emails\./)
      }
      expect(html).not.toMatch(/<img|<link|<script|src=|url\(/)
    },
  )

  it('the confirmation of a purchase without a payment states the plan, the price, and the day of the next charge', async () => {
    const { subject, text } = await compose(emailExamples.subscription_confirmation, locale, false)
    expect(subject).toContain('Lumen')
    for (const words of [money(euros('12.10'), locale), day('2026-12-22T09:30:00Z', locale), 'Pro'])
      expect(read(text)).toContain(read(words))
    expect(text).not.toMatch(/INV|[{}!]|undefined|emails\./)
  })

  it.each(['trial_ending', 'renewal_notice'] as const)(
    'the email %s states the amount and the day of the charge, and how to prevent the charge',
    async (kind) => {
      const { subject, text } = await compose(emailExamples[kind], locale, false)
      const date = read(day('2026-12-22T09:30:00Z', locale))
      expect(read(subject)).toContain(date)
      expect(subject).toContain('Pro')
      for (const words of [money(euros('12.10'), locale), date, purchase.portalUrl])
        expect(read(text)).toContain(read(words))
      expect(text).not.toMatch(/[{}!]|undefined|emails\./)
    },
  )

  it('the notice of a changed charge states the new charge, the charge that was announced before, and the new terms', async () => {
    const insteadOf = { total: euros('7.77'), at: '2026-12-30T09:30:00Z' }
    const { subscription } = emailExamples.renewal_notice
    const from = { ...subscription, name: 'Team', price: euros('8.88') }
    const changed = { ...emailExamples.renewal_notice, insteadOf, from }
    const { subject, text } = await compose(changed, locale, false)
    expect(subject).toContain('Pro')
    expect(subject).not.toBe((await compose(emailExamples.renewal_notice, locale, false)).subject)
    for (const words of [
      ...[money(euros('12.10'), locale), day('2026-12-22T09:30:00Z', locale)],
      ...[money(euros('7.77'), locale), day('2026-12-30T09:30:00Z', locale)],
      ...[money(euros('8.88'), locale), 'Team', purchase.portalUrl],
    ])
      expect(read(text)).toContain(read(words))
    expect(text).not.toMatch(/[{}!]|undefined|emails\./)
  })

  it('the email about a refund states both document numbers, the amount, the tax, and that the money may take a few days', async () => {
    const { subject, text } = await compose(emailExamples.refund, locale, false)
    const t = await translator(locale)
    expect(subject).toContain('CN-2026-000007')
    for (const words of [
      t('emails.refund.next'),
      money(euros('36.30'), locale),
      money(euros('6.30'), locale),
      'INV-2026-000042',
      'CN-2026-000007',
    ])
      expect(read(text)).toContain(read(words))
    expect(text).not.toMatch(/[{}!]|undefined|emails\./)
  })

  it('the email about a chargeback does not say that the seller refunds the money', async () => {
    const refund = await compose(emailExamples.refund, locale, false)
    const { subject, text } = await compose({ ...emailExamples.refund, cause: 'chargeback' }, locale, false)
    expect(subject).toContain('CN-2026-000007')
    expect(subject).not.toBe(refund.subject)
    for (const words of [money(euros('36.30'), locale), 'INV-2026-000042', 'CN-2026-000007'])
      expect(read(text)).toContain(read(words))
    const t = await translator(locale)
    expect(text).not.toContain(t('emails.refund.next'))
    expect(text).not.toMatch(/[{}!]|undefined|emails\./)
  })

  it('the plain text and the HTML of a receipt have the same words', async () => {
    const { text, html } = await compose(purchase, locale, true)
    const words = (body: string) => body.replaceAll(/[\s:]+/g, ' ')
    for (const line of text.split('\n').filter((each) => !each.includes('http')))
      expect(words(shown(html))).toContain(words(line).trim())
  })
})

describe('receipt', () => {
  it('the plain text of a receipt equals the stored example', async () => {
    const { subject, text } = await compose(purchase, 'en', false)
    expect({ subject, text: read(text) }).toEqual({
      subject: 'Your purchase at Lumen: invoice INV-2026-000042',
      text: [
        'Hello Ada Lovelace,',
        'Thank you for your purchase at Lumen. We have received your payment of €36.30.',
        'The invoice is attached as a PDF.',
        [
          'Invoice INV-2026-000042',
          'Pro: €10.00',
          '2 × Handbook: €20.00',
          'Subtotal before tax: €30.00',
          'VAT 21%: €6.30',
          'Total: €36.30',
        ].join('\n'),
        'Pro\nPrice: €12.10 every month, including tax\nNext charge: €12.10 on 22 December 2026',
        'You can cancel your subscription or change your payment method at any time on the page below. A subscription that you cancel runs until the end of its current period. The link is personal and works for 8 days, so please do not forward this email.',
        'You asked for it to start at once: if you withdraw, you pay for the time until then.',
        'You can withdraw until 8 December 2026: tell Billhook Demo Seller B.V., without giving a reason.',
        'Terms and conditions\nhttps://pay.example.com/terms',
        'Withdraw from contract here\nhttps://pay.example.com/withdrawal/0123456789abcdef',
        `My purchases\n${purchase.portalUrl}`,
        [
          'Model withdrawal form (complete and return this form only if you wish to withdraw from the contract)',
          'To: Billhook Demo Seller B.V., Keizersgracht 1, 1015 CN Amsterdam, Netherlands, seller@example.com',
          'I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract of sale of the following goods (*)/for the provision of the following service (*):',
          'Ordered on (*)/received on (*):',
          'Name of consumer(s):',
          'Address of consumer(s):',
          'Signature of consumer(s) (only if this form is notified on paper):',
          'Date:',
          '(*) Delete as appropriate.',
        ].join('\n'),
        'Billhook Demo Seller B.V. is the merchant of record: it sells and invoices what you buy at Lumen.',
        'Billhook Demo Seller B.V.\nKeizersgracht 1\n1015 CN Amsterdam\nNetherlands\nseller@example.com\n',
      ].join('\n\n'),
    })
  })

  it('a French receipt has a non-breaking space before each colon', async () => {
    const { text } = await compose(purchase, 'fr', false)
    expect(text).toContain('\nPrix\u202f: 12,10')
    expect(text).not.toMatch(/[\p{L}\d]: /u)
  })

  it('a receipt links to the terms that the buyer accepted', async () => {
    for (const content of [purchase, { ...emailExamples.subscription_confirmation, termsUrl: purchase.termsUrl }]) {
      const { html } = await compose(content, 'en', false)
      expect(html).toMatch(/<a href="https:[/][/]pay.example.com[/]terms" style="[^"]*">Terms and conditions<[/]a>/)
    }
  })

  it('a receipt of a free trial states the end of the trial, and does not state a next charge of 0.00', async () => {
    const trial = { ...pro, trialUntil: '2026-12-06T09:30:00Z', nextCharge: null }
    const { text } = await compose({ ...purchase, subscriptions: [trial] }, 'en', false)
    expect(read(text)).toContain('Pro\nPrice: €12.10 every month, including tax\nFree until: 6 December 2026\n\n')
  })

  it('a receipt without a subscription and without tax mentions neither a subscription nor tax', async () => {
    const document = { ...purchase.document, taxes: [], total: euros('30.00') }
    const { text } = await compose({ ...purchase, document, subscriptions: [] }, 'en', false)
    expect(text).not.toMatch(/subscri|cancel|tax|VAT/i)
  })

  it('a receipt of a sale outside the scope of VAT states no tax rate', async () => {
    const taxes = [{ name: 'Outside scope', percentage: 0, amount: euros('0.00') }]
    const { text } = await compose({ ...purchase, document: { ...purchase.document, taxes } }, 'en', false)
    expect(read(text)).toContain('\nOutside the scope of EU VAT: €0.00\n')
  })

  it('a receipt escapes HTML and line breaks in text that merchants and customers entered', async () => {
    const nasty = '<b>"Pro"</b>\r\n\u202e{amount}'
    const lines = [{ description: nasty, quantity: 1, subtotal: euros('10.00') }]
    const document = { ...purchase.document, lines }
    const { text, html } = await compose(
      { ...purchase, document, subscriptions: [{ ...pro, name: nasty }] },
      'en',
      false,
    )
    expect(read(text)).toContain('\n<b>"Pro"</b> {amount}: €10.00\n')
    expect(html).not.toContain('<b>')
    expect(text + html).not.toMatch(/[\p{Bidi_Control}]/u)
  })
})
