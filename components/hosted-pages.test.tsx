import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { billingPages, checkoutPages, invoicePages, testPaymentPages } from '@/e2e/fixtures/hosted-pages.ts'
import { billingFields } from '@/lib/billing/page.ts'
import { buyerFields } from '@/lib/checkouts/page.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { Billing } from './billing/billing-page.tsx'
import { Checkout } from './checkout/checkout-page.tsx'
import { InvoiceSheet } from './invoice/invoice-sheet.tsx'
import { TestPayment } from './payment/test-payment.tsx'
import { DownPage, NotFoundPage } from './ui/unreachable-pages.tsx'

/** As the server sends it. A message that is missing, or given the wrong arguments, throws. */
async function html(locale: Locale, page: ReactNode): Promise<string> {
  const { default: messages } = await import(`../messages/${locale}.json`)
  const fail = (error: Error) => {
    throw error
  }
  return renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={messages} onError={fail} timeZone="UTC">
      {page}
    </NextIntlClientProvider>,
  )
}

const checkout = (name: string, locale: Locale) => {
  const page = checkoutPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <Checkout page={page} />)
}

const billing = (name: string, locale: Locale) => {
  const page = billingPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <Billing page={page} />)
}

describe.each(locales)('in %s', (locale) => {
  it.each(Object.keys(checkoutPages))('shows the checkout %s', async (name) => {
    expect(await checkout(name, locale)).toMatch(/<h1/)
  })

  it.each(Object.keys(billingPages))('shows the billing page %s', async (name) => {
    expect(await billing(name, locale)).toMatch(/<h1/)
  })

  it.each(Object.entries(testPaymentPages))('shows the test payment %s', async (name, page) => {
    expect(await html(locale, <TestPayment page={page(locale, name)} />)).toMatch(/<h1/)
  })

  it.each(Object.entries(invoicePages))('shows the invoice %s', async (_name, page) => {
    const invoice = page(locale)
    expect(await html(locale, <InvoiceSheet invoice={invoice} />)).toContain(invoice.number)
  })

  it('says that a page is missing or cannot be shown', async () => {
    expect(await html(locale, <NotFoundPage />)).not.toBe(await html(locale, <DownPage />))
  })
})

describe('the form, on which merchants build tests of their own', () => {
  it('has every promised field', async () => {
    const page = await checkout('usa', 'en')
    for (const name of buyerFields) expect(page).toContain(` name="${name}"`)
  })

  it('has one button, and that of the cancel form', async () => {
    const buttons = (await checkout('open', 'en')).match(/<button[^>]*>/g) ?? []
    expect(buttons).toHaveLength(2)
    expect(buttons[0]).not.toContain('name=')
    for (const attribute of ['name="intent"', 'type="submit"', 'value="cancel"'])
      expect(buttons[1]).toContain(attribute)
  })

  it('offers a currency only where there is a choice', async () => {
    expect(await checkout('usa', 'en')).toContain('<fieldset><div')
    expect(await checkout('open', 'en')).toContain('<fieldset disabled="" hidden="">')
    expect(await checkout('usa', 'en')).toContain('USD – US Dollar')
    expect(await checkout('open', 'en')).not.toContain('value="USD"')
  })

  it('lists what test mode cannot do as disabled, with the reason, and live mode not at all', async () => {
    expect(await checkout('open', 'en')).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(await checkout('open', 'en')).toContain('Not available in test mode.')
    expect(await checkout('live', 'en')).not.toContain('paybybank')
  })

  it('asks for consent to renewals only when something renews', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    expect(await checkout('open', 'en')).toContain(consent)
    expect(await checkout('live', 'en')).not.toContain(consent)
  })
})

describe('a form that came back', () => {
  it('keeps everything that was typed', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toContain('value="anna.schmidt@example"')
    expect(page).toContain('value="Schmidt &amp; Töchter GmbH"')
    expect(page).toMatch(/<option value="DE" selected="">/)
  })

  it('says beside each field and in the summary what to do', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 entries need another look')
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/href="#fullName">Full name: Use 255 characters at most</)
    expect(page).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/)
  })

  it('says why a payment was declined and what to do now', async () => {
    const page = await checkout('declined', 'en')
    expect(page).toContain('There is not enough money in the account.')
    expect(page).toMatch(/checked=""[^>]*value="creditcard"|value="creditcard"[^>]*checked=""/)
  })
})

describe('the billing page', () => {
  const methodsOf = (page: string) =>
    [...page.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([input]) => /value="(\w+)"/.exec(input)?.[1])

  it('has every promised field, and none that it does not read', async () => {
    const named = [...(await billing('open', 'en')).matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect([...new Set(named)].sort()).toEqual([...billingFields, 'version'].sort())
  })

  it('offers first to keep what is charged now, and only where there is something', async () => {
    const open = await billing('open', 'en')
    expect(methodsOf(open).slice(0, 2)).toEqual(['keep', 'creditcard'])
    expect(open).toContain('Keep card •••• 4242')
    expect(open).toMatch(/<input[^>]*checked=""[^>]*value="keep"/)
    expect(open).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(methodsOf(await billing('lost', 'en'))[0]).toBe('creditcard')
    expect(await billing('live', 'en')).not.toContain('paybybank')
  })

  it('unfolds company and tax ID where one is stored', async () => {
    expect(await billing('company', 'en')).toContain('<details class="field-fold" open="">')
    expect(await billing('company', 'en')).toContain('Accepted. You account for the tax yourself')
    expect(await billing('open', 'en')).toContain('<details class="field-fold">')
  })

  it('says what the next charge is, and asks for consent to renewals only when there is one', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    const next = 'Next charge: €12.10 on 20 December 2026. Tax follows the new details from then on.'
    for (const words of [consent, next]) {
      expect(await billing('open', 'en')).toContain(words)
      expect(await billing('lost', 'en')).not.toContain(words)
    }
    expect(await billing('lost', 'en')).toContain('debit your account by SEPA Direct Debit')
  })

  it('says why a payment was declined, and that a new method is charged at once', async () => {
    const declined = await billing('declined', 'en')
    expect(declined).toContain('The payment of €12.10 was declined')
    expect(declined).toContain('Reason given: Insufficient funds')
    expect(declined.split('With a new payment method, €12.10 is charged at once.')).toHaveLength(3)
    expect(declined).toContain('If you keep the current one, nothing is charged now.')
    expect(await billing('lost', 'en')).not.toContain('the current one')
    expect(declined.indexOf('id="notice"')).toBeLessThan(declined.indexOf('<form'))
  })

  it('promises on its button only what holds for every method that can be chosen', async () => {
    const button = async (name: string) => /<button[^>]*>([^<]*)<\/button>/.exec(await billing(name, 'en'))?.[1]
    expect(await button('open')).toBe('Save changes')
    expect(await button('declined')).toBe('Save and continue')
    expect(await button('lost')).toBe('Save and pay €12.10')
  })

  it('has a way back to the shop where there is a page to go back to', async () => {
    const cancelOf = async (name: string) => /<button[^>]*name="intent"[^>]*>/.exec(await billing(name, 'en'))?.[0]
    for (const attribute of ['formnovalidate=""', 'type="submit"', 'value="cancel"'])
      expect((await cancelOf('open'))?.toLowerCase()).toContain(attribute)
    expect(await cancelOf('declined')).toBeUndefined()
  })

  it('keeps what was typed, and says beside each field and in the summary what to do', async () => {
    const page = await billing('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 entries need another look')
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/href="#paymentMethod">Choose how you want to pay</)
    expect(page).toMatch(/id="fullName"[^>]*aria-invalid="true"[^>]*aria-describedby="fullName-error"/)
    expect(page).toContain('value="ABC"')
    expect(page).toContain('value="DE1"')
  })

  it('shows no form once there is nothing to fill in', async () => {
    for (const name of ['done', 'charged', 'expired', 'ended']) expect(await billing(name, 'en')).not.toContain('<form')
    expect(await billing('charged', 'en')).toContain('€12.10 is being charged')
    expect(await billing('done', 'en')).not.toContain('being charged')
  })

  it('marks test mode', async () => {
    expect(await billing('ended', 'en')).toContain('Test mode: no real money')
    expect(await billing('live', 'en')).not.toContain('Test mode')
  })
})

it('claims no total as seen before the script keeps it current', async () => {
  expect(await checkout('open', 'en')).not.toContain('seenTotal')
})

it('marks test mode, and nothing else', async () => {
  expect(await checkout('open', 'en')).toContain('Test mode: no real money')
  expect(await checkout('live', 'en')).not.toContain('Test mode')
})

it('cites the reverse charge on an invoice', async () => {
  const invoice = invoicePages.reverse?.('de')
  if (!invoice) throw new Error('No fixture')
  expect(await html('de', <InvoiceSheet invoice={invoice} />)).toContain(
    'Steuerschuldnerschaft des Leistungsempfängers',
  )
})
