import { describe, expect, it, vi } from 'vitest'
import { money } from '../../kernel/format.ts'
import { locales } from '../../kernel/locale.ts'
import { read, shown } from '../../testing/email-text.ts'
import { failureReasons } from '../payments/rules/failure.ts'
import { compose } from './compose.ts'
import { emailExamples } from './examples.ts'
import type { EmailContent } from './rules/email.ts'

const common: Omit<Extract<EmailContent, { kind: 'canceled_for_nonpayment' }>, 'kind'> = {
  subscriptionName: 'Pro',
  storefrontName: 'Lumen',
  seller: { name: 'Billhook Seller B.V.', addressLines: ['Keizersgracht 1', '1015 CN Amsterdam'], country: 'NL' },
  customerId: null,
  customerName: 'Ada Lovelace',
  amount: { value: '12.10', currency: 'EUR' },
}
const updateUrl = 'https://pay.example.com/billing-update/0123456789abcdef'

const failed: Extract<EmailContent, { kind: 'payment_failed' }> = {
  ...common,
  kind: 'payment_failed',
  isOfChange: false,
  reason: 'insufficient_funds',
  nextAttemptAt: '2026-11-22T23:30:00Z',
  updateUrl,
}
const needed = (reminder: 1 | 2 | 3): EmailContent => ({
  ...common,
  kind: 'payment_method_needed',
  isOfChange: false,
  reason: 'card_expired',
  endsAt: '2026-11-27T09:30:00Z',
  updateUrl,
  reminder,
})
const canceled: EmailContent = { ...common, kind: 'canceled_for_nonpayment' }
const portalLink: Extract<EmailContent, { kind: 'portal_link' }> = {
  kind: 'portal_link',
  url: 'https://pay.example.com/portal/link/0123456789abcdef',
  storefrontName: common.storefrontName,
  seller: common.seller,
  customerId: null,
  customerName: null,
}
const emails = [failed, needed(1), needed(2), needed(3), canceled] as const

describe.each(locales)('emails in the language %s', (locale) => {
  it.each(emails.map((content) => [content.kind, 'reminder' in content ? content.reminder : '', content] as const))(
    'the email %s (reminder "%s") states the event, the amount, the next step, and the seller',
    async (_kind, _reminder, content) => {
      const { subject, text, html } = await compose(content, locale, false)
      expect(subject).toContain('Pro')
      for (const body of [read(text), read(shown(html))]) {
        expect(body).toContain('Ada Lovelace')
        expect(body).toContain(read(money({ value: '12.10', currency: 'EUR' }, locale)))
        expect(body).toContain('Lumen')
        expect(body).toContain('Billhook Seller B.V.\nKeizersgracht 1\n1015 CN Amsterdam\n')
        expect(body).not.toMatch(/[{}!]|undefined|\bnull\b|mails\./)
        expect(body.split(updateUrl)).toHaveLength('updateUrl' in content ? 2 : 1)
      }
      expect(html.split(`href="${updateUrl}"`)).toHaveLength('updateUrl' in content ? 3 : 1)
      expect(html).toContain(`<html lang="${locale}">`)
      expect(html).toContain(`<div lang="${locale}"`)
      expect(html).not.toMatch(/<img|<link|<script|src=|url\(/)
    },
  )

  it('the email with a portal link states the shop, the purpose and lifetime of the link, and the seller', async () => {
    const { subject, text, html } = await compose(portalLink, locale, false)
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    const { what, next, open } = messages.emails.portalLink
    expect(subject).toContain('Lumen')
    expect(next).toMatch(/\b24\b/)
    for (const body of [read(text), read(shown(html))]) {
      for (const words of [what.replace('{shop}', 'Lumen'), next, open]) expect(body).toContain(read(words))
      expect(body).toContain('Billhook Seller B.V.\nKeizersgracht 1\n1015 CN Amsterdam\n')
      expect(body).not.toMatch(/[{}!]|undefined|\bnull\b|mails\./)
      expect(body.split(portalLink.url)).toHaveLength(2)
    }
    expect(html.split(`href="${portalLink.url}"`)).toHaveLength(3)
  })

  it('the plain text and the HTML of an email have the same words', async () => {
    const { text, html } = await compose(needed(2), locale, true)
    const blocks = text.split('\n\n').filter((block) => !block.includes(updateUrl))
    expect(blocks.length).toBeGreaterThan(5)
    for (const block of blocks) expect(shown(html)).toContain(block.trim())
  })

  it('each kind of email and each reminder has a different subject', async () => {
    const subjects = await Promise.all(emails.map(async (content) => (await compose(content, locale, false)).subject))
    expect(new Set(subjects).size).toBe(emails.length)
  })

  it('an email about a failed payment states the reason of the failure', async () => {
    const texts = await Promise.all(
      failureReasons.map(async (reason) => (await compose({ ...failed, reason }, locale, false)).text),
    )
    expect(new Set(texts).size).toBe(failureReasons.length)
  })

  it('an email to a customer without a name begins with a greeting without a name', async () => {
    const { text } = await compose({ ...canceled, customerName: null }, locale, false)
    expect(text.split('\n')[0]).toMatch(/^\p{L}[\p{L} ]+[,:]$/u)
  })

  it('a test-mode email begins with the statement that no money moves', async () => {
    const [test, live] = await Promise.all([compose(failed, locale, true), compose(failed, locale, false)])
    const { default: messages } = await import(`../../../messages/${locale}.json`)
    const line = messages.common.testMode
    expect(test.text.split('\n')[0]).toBe(line)
    expect(shown(test.html).trim().split('\n')[0]).toBe(line)
    expect(test.subject).toBe(live.subject)
    expect(live.text + live.html).not.toContain(line)
  })
})

describe('composition', () => {
  it('the plain text of an email equals the stored example', async () => {
    const { subject, text } = await compose(failed, 'en', false)
    expect({ subject, text: read(text) }).toEqual({
      subject: 'Your payment for Pro did not go through',
      text: [
        'Hello Ada Lovelace,',
        'Your payment of €12.10 for Pro at Lumen did not go through.',
        'Reason: Insufficient funds',
        'You do not need to do anything: we will try again on 22 November 2026. If you would rather pay another way, you can update your payment method before then.',
        `Update payment method\n${updateUrl}`,
        'Billhook Seller B.V. is the merchant of record: it sells and invoices what you buy at Lumen.',
        'Billhook Seller B.V.\nKeizersgracht 1\n1015 CN Amsterdam\nNetherlands\n',
      ].join('\n\n'),
    })
  })

  it('in the withdrawal form of an email, a line for handwriting spans both columns', async () => {
    for (const kind of ['receipt', 'subscription_confirmation'] as const) {
      const { html } = await compose(emailExamples[kind], 'de', false)
      expect(html).toMatch(/<th scope="row" colspan="2"[^>]*>[^<]+<\/th><\/tr>/i)
      expect(html).not.toMatch(/<td[^>]*><\/td>/)
    }
  })

  it('an email states a deadline with date and time', async () => {
    expect(read((await compose(needed(3), 'de', false)).text)).toContain('bis zum 27. November 2026 um 09:30 UTC')
  })

  it('an email omits control and direction characters from names', async () => {
    const odd = 'Pro\u0007\u202e\r\nBcc: x\u2028y\u0085z\u061c'
    const names = { subscriptionName: odd, storefrontName: odd, customerName: odd }
    const seller = { name: odd, addressLines: [odd], country: 'NL' }
    const { subject, text, html } = await compose({ ...failed, ...names, seller }, 'en', false)
    expect(subject).toBe('Your payment for Pro Bcc: x y z did not go through')
    expect(read(text)).toContain('Hello Pro Bcc: x y z,')
    expect(text).toContain('\nPro Bcc: x y z\nPro Bcc: x y z\nNetherlands\n')
    for (const part of [subject, text, html])
      expect(part.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
  })

  it('an email treats a name of only direction characters as missing', async () => {
    const [odd, none] = await Promise.all(
      ['\u202e\u200f', null].map((customerName) => compose({ ...canceled, customerName }, 'de', false)),
    )
    expect(odd).toEqual(none)
  })

  it('an email escapes HTML in text that merchants and customers entered', async () => {
    const nasty = `<img src=x onerror='alert(1)'> & "co" {amount}`
    const { subject, text, html } = await compose(
      {
        ...failed,
        subscriptionName: nasty,
        storefrontName: nasty,
        customerName: nasty,
        seller: { name: nasty, addressLines: [nasty], country: 'NL' },
        updateUrl: `https://pay.example.com/billing-update/x?a="><b>&c='`,
      },
      'en',
      true,
    )
    expect(subject).toContain(nasty)
    expect(text).toContain(`Hello ${nasty},`)
    expect(shown(html)).toContain(`Hello ${nasty},`)
    expect(html).not.toMatch(/<img|<b>/)
    expect(html).toContain('href="https://pay.example.com/billing-update/x?a=&quot;&gt;&lt;b&gt;&amp;c=&#x27;"')
  })
})

describe('brand', () => {
  const logo = {
    url: `https://pay.example.com/brand/${'0'.repeat(64)}.png`,
    width: 108,
    height: 36,
    isWordMark: true,
    plates: { light: false, dark: false },
  }
  const brand = {
    logo,
    accent: '#166534',
    supportEmail: 'help@lumen.example',
    supportUrl: 'https://lumen.example/help',
    termsUrl: 'https://lumen.example/terms',
    privacyUrl: 'https://lumen.example/privacy',
  }
  const noBrand = { logo: null, accent: null, supportEmail: null, supportUrl: null, termsUrl: null, privacyUrl: null }

  it.each(locales)(
    'an email in %s shows the accent color, support contact, terms, and privacy policy of the brand',
    async (locale) => {
      const { text, html } = await compose({ ...failed, brand }, locale, false)
      expect(html).toContain('border-bottom:3px solid #166534')
      expect(html).toContain('background:#166534;color:#ffffff')
      for (const { supportEmail, supportUrl, termsUrl, privacyUrl } of [brand])
        for (const value of [supportEmail, supportUrl, termsUrl, privacyUrl]) {
          expect(text).toContain(value)
          expect(html).toContain(`${value}"`)
        }
    },
  )

  it('an email loads only the logo, whose URL is absolute and whose alternative text is the shop name', async () => {
    const { html } = await compose({ ...failed, brand }, 'en', false)
    expect(html).toContain(`<img src="${logo.url}" width="108" height="36" alt="Lumen" style="vertical-align:middle"`)
    expect(html.replace(/<img [^>]*>/, '')).not.toMatch(/<img|<link|<script|src=|url\(|cid:/)
  })

  it('an email can show two links with the same address', async () => {
    const warned = vi.spyOn(console, 'error')
    const same = 'https://lumen.example/legal'
    const { html } = await compose({ ...failed, brand: { ...brand, termsUrl: same, privacyUrl: same } }, 'en', false)
    expect(html.split(`href="${same}"`)).toHaveLength(3)
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  it('an email shows the shop name beside a logo that does not contain the name', async () => {
    const icon = { ...logo, width: 36, isWordMark: false }
    const { html } = await compose({ ...failed, brand: { ...brand, logo: icon } }, 'en', false)
    expect(html).toMatch(/<img [^>]*alt=""[^>]*>\u00a0 Lumen<\/p>/)
  })

  it.each([
    ['light', '#1b1c20'],
    ['dark', '#ffffff'],
  ])('an email puts a background behind a logo that is too faint in the %s scheme', async (scheme, background) => {
    const faint = { ...logo, plates: { light: false, dark: false, [scheme]: true } }
    const { html } = await compose({ ...failed, brand: { ...brand, logo: faint } }, 'en', false)
    expect(html).toMatch(new RegExp(`<img [^>]*background:${background}`))
  })

  it('a purchase confirmation contains exactly one link to the terms', async () => {
    const { text } = await compose({ ...emailExamples.receipt, brand, termsUrl: brand.termsUrl }, 'en', false)
    expect(text.split(brand.termsUrl)).toHaveLength(2)
    expect(text).toContain(`Privacy: ${brand.privacyUrl}`)
  })

  it('an email without a brand uses the default colors of the service', async () => {
    const [absent, empty] = await Promise.all([
      compose(failed, 'en', false),
      compose({ ...failed, brand: noBrand }, 'en', false),
    ])
    expect(absent).toEqual(empty)
    expect(absent.html).toContain('background:#1d4ed8;color:#ffffff')
    expect(absent.text).not.toContain('Questions?')
    expect(shown(absent.html).trim().split('\n')[0]).toBe('Lumen')
  })

  it('an email escapes HTML in the texts of the brand', async () => {
    const nasty = { ...brand, supportUrl: 'https://a.example/"><b>', logo: { ...logo, url: 'https://a.example/"><b>' } }
    const { html } = await compose({ ...failed, storefrontName: '<b>"x"', brand: nasty }, 'en', false)
    expect(html).not.toContain('<b>')
    await expect(compose({ ...failed, brand: { ...brand, accent: 'red;}' } }, 'en', false)).rejects.toThrow()
  })
})
