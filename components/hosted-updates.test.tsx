import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { billingPages, invoiceUpdatePages } from '@/e2e/fixtures/hosted-pages.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import { billingUpdateFields } from '@/lib/modules/billing-updates/page.ts'
import { invoiceUpdateFields } from '@/lib/modules/invoice-updates/page.ts'
import { BillingUpdate } from './billing-update/billing-update-page.tsx'
import { InvoiceUpdate } from './invoice-update/invoice-update-page.tsx'

/** The page as the server sends it, with plain spaces. Throws if a message is missing or has wrong arguments. */
async function html(locale: Locale, page: ReactNode): Promise<string> {
  const { default: messages } = await import(`../messages/${locale}.json`)
  const fail = (error: Error) => {
    throw error
  }
  return renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={messages} onError={fail} timeZone="UTC">
      {page}
    </NextIntlClientProvider>,
  ).replaceAll('\u00a0', ' ')
}

const billing = (name: string, locale: Locale) => {
  const page = billingPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <BillingUpdate page={page} />)
}

const invoiceUpdate = (name: string, locale: Locale) => {
  const page = invoiceUpdatePages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <InvoiceUpdate page={page} />)
}

describe('the billing-update page', () => {
  const methodsOf = (page: string) =>
    [...page.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([input]) => /value="(\w+)"/.exec(input)?.[1])

  it('the billing-update page has exactly the documented fields and two technical fields: the language and the version', async () => {
    const named = [...(await billing('open', 'en')).matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect([...new Set(named)].sort()).toEqual([...billingUpdateFields, 'lang', 'version'].sort())
  })

  it('the billing-update page offers the current payment method first', async () => {
    const open = await billing('open', 'en')
    expect(methodsOf(open).slice(0, 2)).toEqual(['keep', 'creditcard'])
    expect(open).toContain('Keep card •••• 4242')
    expect(open).toMatch(/<input[^>]*checked=""[^>]*value="keep"/)
    expect(open).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(methodsOf(await billing('lost', 'en'))[0]).toBe('creditcard')
    expect(await billing('live', 'en')).not.toContain('paybybank')
  })

  it('the billing-update page expands company and address if the customer has a company or an address', async () => {
    expect(await billing('company', 'en')).toContain(
      '<details class="field-fold" data-opened="asksForAddress asksForProvince" open="">',
    )
    expect(await billing('domestic', 'en')).toContain('Accepted. You and the seller are in the same country')
    expect(await billing('company', 'en')).toContain('Accepted. You account for the tax yourself')
  })

  it('the billing-update page states the next charge and asks for consent only if a charge follows', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    const next = 'Next charge: €12.10 on 20 December 2026. Tax on all further periods follows the new details.'
    for (const words of [consent, next]) {
      expect(await billing('open', 'en')).toContain(words)
      expect(await billing('lost', 'en')).not.toContain(words)
    }
    expect(await billing('lost', 'en')).toContain('debit your account by SEPA Direct Debit')
  })

  it('the billing-update page says why a payment was declined and that a new method is charged immediately', async () => {
    const declined = await billing('declined', 'en')
    expect(declined).toContain('The payment of €12.10 was declined')
    expect(declined).toContain('Reason: Insufficient funds')
    expect(declined.split('With a new payment method, €12.10 is charged at once.')).toHaveLength(3)
    expect(declined).toContain('If you keep the current one, nothing is charged now.')
    expect(await billing('lost', 'en')).not.toContain('the current one')
    expect(declined.indexOf('id="notice"')).toBeLessThan(declined.indexOf('<form'))
  })

  it('the button of the billing-update page has a text that fits every selectable method', async () => {
    const button = async (name: string) => /<button[^>]*>([^<]*)<\/button>/.exec(await billing(name, 'en'))?.[1]
    expect(await button('open')).toBe('Save changes')
    expect(await button('declined')).toBe('Save and continue')
    expect(await button('lost')).toBe('Save and pay €12.10')
  })

  it('the billing-update page has a button back to the shop if the link has a return URL', async () => {
    const cancelOf = async (name: string) => /<button[^>]*name="intent"[^>]*>/.exec(await billing(name, 'en'))?.[0]
    for (const attribute of ['formnovalidate=""', 'type="submit"', 'value="cancel"'])
      expect((await cancelOf('open'))?.toLowerCase()).toContain(attribute)
    expect(await cancelOf('declined')).toBeUndefined()
  })

  it('a refused billing-update form keeps entered values and says what to do at each field and in a summary', async () => {
    const page = await billing('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 fields need another look')
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/href="#paymentMethod">Choose how you want to pay</)
    expect(page).toMatch(/id="fullName"[^>]*aria-invalid="true"[^>]*aria-describedby="fullName-error"/)
    expect(page).toContain('value="ABC"')
    expect(page).toContain('value="DE1"')
  })

  it('the billing-update page shows no form for a closed link', async () => {
    for (const name of ['done', 'charged', 'expired', 'ended']) expect(await billing(name, 'en')).not.toContain('<form')
    expect(await billing('charged', 'en')).toContain('€12.10 is being charged')
    expect(await billing('done', 'en')).not.toContain('being charged')
  })

  it('the billing-update page marks test mode', async () => {
    expect(await billing('ended', 'en')).toContain('Test mode: no real money')
    expect(await billing('live', 'en')).not.toContain('Test mode')
  })
})

describe('the invoice-update page', () => {
  it('the invoice-update page has exactly the documented fields and two technical fields: the language and the version', async () => {
    const named = [...(await invoiceUpdate('open', 'en')).matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(named.sort()).toEqual([...invoiceUpdateFields, 'lang', 'version'].sort())
  })

  it('the invoice-update page names the invoice and the shop, and links to the invoice', async () => {
    const page = await invoiceUpdate('open', 'en')
    for (const words of ['Northwind Tools', 'Invoice TEST-INV-2026-000042', '€59.23', '20 November 2026'])
      expect(page).toContain(words)
    expect(page).toMatch(/<a href="\/invoices\/sale\.en" rel="noopener" target="_blank">Show the invoice<\/a>/)
    const note = await invoiceUpdate('creditNote', 'en')
    for (const words of ['Credit note TEST-CN-2026-000003', 'Total credited', 'Show the credit note'])
      expect(note).toContain(words)
  })

  it.each([
    ['en', 'credit note'],
    ['de', 'Rechnungskorrektur'],
    ['es', 'factura rectificativa'],
    ['fr', 'avoir'],
    ['it', 'nota di credito'],
    ['nl', 'creditfactuur'],
    ['pl', 'fakturze korygującej'],
    ['pt', 'nota de crédito'],
  ] as const)(
    'if a buyer corrects a credit note, the address hint of the invoice-update page says "credit note" in the language %s',
    async (locale, words) => {
      const page = invoiceUpdatePages.creditNote?.(locale, 'creditNote')
      if (page?.state !== 'open') throw new Error('No fixture creditNote')
      for (const companyDetails of ['optional', 'asked', 'required'] as const) {
        const shown = await html(locale, <InvoiceUpdate page={{ ...page, companyDetails }} />)
        expect(/id="address-hint">([^<]*)/.exec(shown)?.[1]).toContain(words)
      }
    },
  )

  it('the invoice-update page suggests no prefix of a tax ID if no prefix is known', async () => {
    const page = invoiceUpdatePages.open?.('en', 'open')
    if (page?.state !== 'open') throw new Error('No fixture open')
    const unknown = await html('en', <InvoiceUpdate page={{ ...page, taxIdPrefix: null }} />)
    expect(unknown).toContain('>It does not change the tax that was charged.<')
  })

  it('the invoice-update page shows the country as fixed text, submits it, and explains why it is fixed', async () => {
    const page = await invoiceUpdate('open', 'en')
    expect(page).toContain('Germany')
    expect(page).toContain('It cannot be changed here: the tax that was charged depends on it.')
    expect(page).toContain('<input type="hidden" name="country" value="DE"/>')
    expect(page).not.toContain('<select')
  })

  it('the invoice-update page states the effect of a tax ID, or why the tax ID cannot be removed', async () => {
    const taxId = async (name: string) => /<input[^>]*name="taxId"[^>]*>/.exec(await invoiceUpdate(name, 'en'))?.[0]
    expect(await invoiceUpdate('open', 'en')).toContain('Begins with DE. It does not change the tax that was charged.')
    expect(await taxId('open')).not.toContain('required')
    expect(await invoiceUpdate('reverse', 'en')).toContain(
      'It has to be shown, because you account for the tax yourself',
    )
    expect(await taxId('reverse')).toContain('required=""')
  })

  it('the invoice-update page explains the unchecked option to use the details for later orders', async () => {
    const box = async (name: string) => /<input[^>]*type="checkbox"[^>]*>/.exec(await invoiceUpdate(name, 'en'))?.[0]
    expect(await box('open')).toContain('value="true"')
    expect(await box('open')).not.toContain('checked')
    expect(await box('problems')).toContain('checked=""')
    expect(await invoiceUpdate('open', 'en')).toContain('all your running subscriptions at Northwind Tools')
  })

  it('a refused invoice-update form keeps entered values, and lists problems in page order', async () => {
    const page = await invoiceUpdate('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('5 fields need another look')
    const [, summary = ''] = /id="problems"(.*?)<\/section>/.exec(page) ?? []
    expect([...summary.matchAll(/href="#(\w+)">([^<]*)</g)].map(([, field, text]) => [field, text])).toEqual([
      ['fullName', 'Enter your full name'],
      ['postalCode', 'Enter a postal code like 10115'],
      ['city', 'City: Use 255 characters at most'],
      ['country', 'The country cannot be changed here: the tax that was charged depends on it'],
      ['taxId', 'Enter a number that begins with DE, or leave the field empty'],
    ])
    for (const field of ['fullName', 'postalCode', 'city', 'taxId'])
      expect(page).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-error`))
    expect(page).toMatch(/<div id="country" tabindex="-1">/)
    expect(page.split('The country cannot be changed here')).toHaveLength(3)
    expect(page).toContain('value="NL1"')
  })

  it('the invoice-update page requires a tax ID if the invoice must show a tax ID', async () => {
    expect(await invoiceUpdate('needed', 'en')).toContain('Enter the number: with a reverse charge it has to be shown')
    const page = await invoiceUpdate('elsewhere', 'en')
    expect(page).toContain('>Enter a number that begins with DE<')
    expect(page).not.toContain('leave the field empty')
  })

  it('the invoice-update page has one submit button', async () => {
    expect((await invoiceUpdate('open', 'en')).match(/<button[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/type="submit">Save$/),
    ])
  })

  it('the invoice-update page confirms the update, and links to the invoice and back to the form', async () => {
    const page = await invoiceUpdate('done', 'en')
    expect(page).toContain('Invoice TEST-INV-2026-000042 now shows the details you saved.')
    expect(page).toMatch(/<a class="[^"]*" href="\/invoices\/corrected\.en">Show the invoice</)
    expect(page).toMatch(/<a class="[^"]*" href="\/invoice-update\/open\.en">Change the details again</)
    expect(page).not.toContain('subscriptions')
    expect(await invoiceUpdate('later', 'en')).toContain('Your running subscriptions at Northwind Tools use them')
    expect(await invoiceUpdate('credited', 'en')).toContain('Credit note TEST-CN-2026-000003 now shows')
  })

  it('the invoice-update page hides the invoice after the link has expired', async () => {
    const page = await invoiceUpdate('expired', 'en')
    expect(page).toContain('This link has expired')
    expect(page).not.toMatch(/TEST-INV|<form|Schmidt/)
  })

  it('the invoice-update page marks test mode', async () => {
    expect(await invoiceUpdate('open', 'en')).toContain('Test mode: no real money')
    expect(await invoiceUpdate('live', 'en')).not.toContain('Test mode')
  })
})
