import { createHash } from 'node:crypto'
import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { type Untaken, untakenForm, untakenFormPolicy } from './untaken-form.ts'

const down: Untaken = { why: 'down', seconds: 5 }
const typed = [
  ['email', 'ada@example.com'],
  ['fullName', 'Ada "the first" <script>alert(1)</script> & Söhne'],
  ['country', 'DE'],
  ['city', ''],
  ['paymentMethod', 'directdebit'],
  ['seenPrices', '41.65 EUR'],
  ['lang', 'en'],
] as const

async function page(locale: Locale, untaken: Untaken, entries: readonly (readonly [string, string])[] = typed) {
  const { default: messages } = await import(`../../messages/${locale}.json`)
  const fail = (error: Error) => {
    throw error
  }
  const t = createTranslator({ locale, messages, onError: fail })
  return untakenForm({ untaken, action: '/checkout/abc/submit', entries, locale, t: t as never })
}

describe('the response to a form that was not accepted', () => {
  it('the response to a rejected form has a form with all fields unchanged, including blanks', async () => {
    const html = await page('en', down)
    const sent = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      unescaped(value ?? ''),
    ])
    expect(sent).toEqual(typed)
    expect(html).toContain('<form action="/checkout/abc/submit" method="post">')
    expect(html.match(/<button type="submit">Try again<\/button>/g)).toHaveLength(1)
  })

  it('the response to a rejected form shows the entered values with readable labels, as text only', async () => {
    const html = await page('en', down)
    for (const words of ['<dt>Email</dt><dd>ada@example.com</dd>', '<dd>Germany</dd>', '<dd>SEPA Direct Debit</dd>'])
      expect(html).toContain(words)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<dd>41.65')
  })

  it('the response to a rejected form has no list of values if the buyer entered nothing', async () => {
    expect(await page('en', down, [['outcome', 'paid']])).not.toContain('<dl>')
  })

  it('the response to a rejected form does not claim that the request succeeded or failed if the server does not know the outcome', async () => {
    expect(await page('en', down)).toContain('We cannot say yet whether your request was carried out.')
    expect(await page('en', { why: 'busy', seconds: 7 })).toContain('Wait 7 seconds, then try again.')
  })

  it('the response to a form during an outage of the payment provider says that nothing was charged', async () => {
    const html = await page('en', { why: 'payments', seconds: 5 })
    expect(html).toContain('<h1>The payment service is unavailable right now</h1>')
    expect(html).toContain('This attempt was not completed, and nothing was charged for it.')
    expect(html).toContain('That is safe: nothing is paid or changed twice.')
    expect(html).not.toContain('We cannot say yet')
  })

  it.each(locales)('the response to a rejected form is in the language %s', async (locale) => {
    for (const untaken of [
      down,
      { why: 'payments', seconds: 5 },
      { why: 'busy', seconds: 1 },
      { why: 'busy', seconds: 25 },
    ] as const)
      expect(await page(locale, untaken)).toContain(`<html lang="${locale}">`)
  })

  it('the response to a rejected form allows its own style and no script', async () => {
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await page('en', down)) ?? []
    const policy = untakenFormPolicy({ leavesSite: false })
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).not.toContain('script-src')
  })

  it('the response to a rejected form allows other sites as form targets only if the page of the form allows them', () => {
    const formAction = (leavesSite: boolean) => /form-action ([^;]+)/.exec(untakenFormPolicy({ leavesSite }))?.[1]
    expect([formAction(true), formAction(false)]).toEqual(["'self' https: http:", "'self'"])
  })
})

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
