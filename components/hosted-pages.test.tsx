import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  billingPages,
  checkoutPages,
  invoicePages,
  invoiceUpdatePages,
  testPaymentPages,
} from '@/e2e/fixtures/hosted-pages.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { billingUpdateFields } from '@/lib/modules/billing-updates/page.ts'
import { buyerFields } from '@/lib/modules/checkouts/page.ts'
import { invoiceUpdateFields } from '@/lib/modules/invoice-updates/page.ts'
import { invoiceDocumentOf } from '@/lib/modules/invoices/invoice-document.ts'
import type { InvoicePage } from '@/lib/modules/invoices/page.ts'
import type { TestPaymentPage } from '@/lib/modules/payments/page.ts'
import { translator } from '@/lib/platform/translate.ts'
import { BillingUpdate } from './billing-update/billing-update-page.tsx'
import { Checkout } from './checkout/checkout-page.tsx'
import { InvoiceDocumentView } from './invoice/invoice-document.tsx'
import { InvoiceUpdate } from './invoice-update/invoice-update-page.tsx'
import { TestPayment } from './payment/test-payment.tsx'
import { DownPage, NotFoundPage } from './ui/unreachable-pages.tsx'

/** As the server sends it, with plain spaces. A message that is missing, or has the wrong arguments, throws. */
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

const checkout = (name: string, locale: Locale) => {
  const page = checkoutPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <Checkout page={page} />)
}

/** The receipt of a free trial whose buyer asked to begin at once. */
const trialBegun = (kind: 'digital_content' | 'service' | 'mixed') => {
  const page = Object.values(checkoutPages)
    .map((each) => each('en', 'trial'))
    .find((each) => each.state === 'paid' && each.receipt.items.some(({ total }) => total === null))
  if (page?.state !== 'paid') throw new Error('No fixture of a trial')
  const withdrawal = { kind, beginsAtOnce: true, until: '2026-12-04', url: '#' }
  return html('en', <Checkout page={{ ...page, receipt: { ...page.receipt, withdrawal } }} />)
}

it.each(['digital_content', 'service', 'mixed'] as const)(
  'the receipt says of a free trial that began at once that it is not charged, as its email does: %s',
  async (kind) => expect(await trialBegun(kind)).toContain('The free trial is not charged.'),
)

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

const invoice = async (page: InvoicePage) =>
  html(page.locale, <InvoiceDocumentView document={invoiceDocumentOf(page, await translator(page.locale))} />)

function testPayment(name: string): TestPaymentPage {
  const page = testPaymentPages[name]?.('en', name)
  if (!page) throw new Error(`No fixture ${name}`)
  return page
}

function anInvoice(name: string, locale: Locale): InvoicePage {
  const page = invoicePages[name]?.(locale)
  if (!page) throw new Error(`No fixture ${name}`)
  return page
}

describe.each(locales)('in %s', (locale) => {
  it.each(Object.keys(checkoutPages))('shows the checkout %s', async (name) => {
    expect(await checkout(name, locale)).toMatch(/<h1/)
  })

  it.each(Object.keys(billingPages))('shows the billing-update page %s', async (name) => {
    expect(await billing(name, locale)).toMatch(/<h1/)
  })

  it.each(Object.keys(invoiceUpdatePages))('shows the invoice-update page %s', async (name) => {
    expect(await invoiceUpdate(name, locale)).toMatch(/<h1/)
  })

  it.each(Object.entries(testPaymentPages))('shows the test payment %s', async (name, page) => {
    expect(await html(locale, <TestPayment page={page(locale, name)} />)).toMatch(/<h1/)
  })

  it.each(Object.entries(invoicePages))('shows the invoice %s', async (_name, page) => {
    expect(await invoice(page(locale))).toContain(page(locale).number)
  })

  it('says that a page is missing or cannot be shown', async () => {
    expect(await html(locale, <NotFoundPage />)).not.toBe(await html(locale, <DownPage />))
  })
})

describe('the form, which merchants use in tests of their own', () => {
  it('has every guaranteed field', async () => {
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

  it('asks once before it cancels, without a script', async () => {
    const asked = /<details class="[^"]*"><summary[^>]*>Cancel and go back to Northwind Tools<[\s\S]*?<\/details>/
    expect(asked.exec(await checkout('open', 'en'))?.[0]).toContain('Yes, cancel the order')
  })

  it('shows the first of many lines, and folds the rest', async () => {
    const [shown = '', folded = ''] = (await checkout('many', 'en')).split('45 more items')
    expect(shown).toContain('Licence 5<')
    expect(shown).not.toContain('Licence 6<')
    expect(folded).toContain('Licence 50<')
    expect(await checkout('open', 'en')).not.toContain('more item')
  })

  it('preselects no country where none is known', async () => {
    expect(await checkout('nowhere', 'en')).toContain('<option value="" selected="">Choose your country</option>')
    expect(await checkout('open', 'en')).not.toContain('Choose your country')
  })

  it('offers a currency only where there is a choice', async () => {
    const choice = '<fieldset data-enabled="currencies.1" data-shown="currencies.1"'
    expect(await checkout('usa', 'en')).toContain(`${choice}>`)
    expect(await checkout('open', 'en')).toContain(`${choice} disabled="" hidden="">`)
    expect(await checkout('usa', 'en')).toContain('USD – US Dollar')
    expect(await checkout('open', 'en')).not.toContain('value="USD"')
  })

  it('lists the methods that test mode lacks as disabled, with the reason, and hides them in live mode until they are on offer', async () => {
    expect(await checkout('open', 'en')).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(await checkout('open', 'en')).toContain('Not available in test mode.')
    expect(await checkout('live', 'en')).toMatch(/<li[^>]*hidden=""[^>]*>(?:(?!<li).)*value="paybybank"/s)
  })

  it('offers the methods of the country in its order, and proposes the first one', async () => {
    const offered = async (name: string) =>
      [...(await checkout(name, 'en')).matchAll(/<input[^>]*type="radio"[^>]*>/g)]
        .map(([radio]) => radio)
        .filter((radio) => !radio.includes('disabled'))
        .map((radio) => `${/value="(\w+)"/.exec(radio)?.[1]}${radio.includes('checked') ? ' (proposed)' : ''}`)
    expect(await offered('open')).toEqual(['paypal (proposed)', 'directdebit', 'creditcard'])
    expect(await offered('domestic')).toEqual(['ideal (proposed)', 'creditcard', 'paypal', 'directdebit'])
    expect(await offered('usa')).toEqual(['creditcard (proposed)', 'paypal'])
    expect(await offered('declined')).toEqual(['paypal', 'directdebit', 'creditcard (proposed)'])
    expect((await offered('nowhere')).join(' ')).not.toContain('proposed')
  })

  it('names once more what is ordered, right above the button', async () => {
    const page = await checkout('open', 'en')
    const names = [...page.matchAll(/data-item="name"[^>]*>([^<]+)</g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(0)
    expect(new Set(names.slice(0, names.length / 2))).toEqual(new Set(names.slice(names.length / 2)))
    expect(page.lastIndexOf('data-item="name"')).toBeGreaterThan(page.indexOf('name="paymentMethod"'))
    expect(page.lastIndexOf('data-item="name"')).toBeLessThan(page.indexOf('data-sending'))
  })

  it('asks for consent to renewals only when something renews', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    expect(await checkout('open', 'en')).toContain(consent)
    expect(await checkout('live', 'en')).not.toContain(consent)
  })
})

describe('a form that is shown again', () => {
  it('keeps everything that was typed', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toContain('value="anna.schmidt@example"')
    expect(page).toContain('value="Schmidt &amp; Töchter GmbH"')
    expect(page).toMatch(/<option value="DE" selected="">/)
  })

  it('states beside each field and in the summary what to do', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 fields need another look')
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/href="#fullName">Full name: Use 255 characters at most</)
    expect(page).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/)
  })

  it('states for a reverse charge which details its invoice lacks, and shows their fields', async () => {
    const page = await checkout('reverseLive', 'en')
    expect(page).toContain('4 fields need another look')
    expect(page).toMatch(/href="#companyName">Enter the name of your company</)
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/id="city"[^>]*aria-invalid="true"[^>]*aria-describedby="city-error"/)
    expect(page).toContain('<details class="field-fold" data-opened="asksForAddress asksForProvince" open="">')
    expect(page).toContain('has to show your company and address')
  })

  it('folds the address unless it is in use, has a problem, or the tax asks for it', async () => {
    const folds = async (name: string) =>
      [...(await checkout(name, 'en')).matchAll(/<details class="field-fold"[^>]*?( open="")?>/g)].map(
        ([, open]) => !open,
      )
    expect(await folds('open')).toEqual([true])
    expect(await folds('canada')).toEqual([true, true])
    expect(await folds('problems')).toEqual([false])
    expect(await folds('reverseLive')).toEqual([false])
  })

  it('shows the tax ID at once in the EU, and elsewhere in the fold of the company', async () => {
    const beforeFolds = async (name: string) => (await checkout(name, 'en')).split('field-fold')[0] ?? ''
    expect(await beforeFolds('open')).toContain('name="taxId"')
    expect(await beforeFolds('open')).not.toContain('name="companyName"')
    expect(await beforeFolds('canada')).not.toContain('name="taxId"')
    expect(await checkout('canada', 'en')).toContain('name="taxId"')
    expect(await checkout('canada', 'en')).toContain('data-opened="asksForTaxId"')
  })

  it('shows the postal code at once in Canada, where it tells the province, and once', async () => {
    const page = await checkout('canada', 'en')
    expect(page.split('field-fold')[0]).toContain('name="postalCode"')
    expect(page.match(/name="postalCode"/g)).toHaveLength(1)
    expect((await checkout('open', 'en')).split('field-fold')[0]).not.toContain('name="postalCode"')
  })

  it('states why a payment was declined and what to do now', async () => {
    const page = await checkout('declined', 'en')
    expect(page).toContain('There is not enough money in the account.')
    expect(page).toMatch(/checked=""[^>]*value="creditcard"|value="creditcard"[^>]*checked=""/)
  })
})

describe('after the sale', () => {
  const cancel = 'You can cancel at any time through Northwind Tools.'
  const orderNumber = 'order_0123456789abcdefghijkl'
  const localDay = (moment: string, day: string) => `<time class="whitespace-nowrap" dateTime="${moment}">${day}</time>`

  it('a paid order shows its items, its invoice, when it was paid, the next charge and how to cancel', async () => {
    const page = await checkout('paid', 'en')
    for (const words of [
      '2 × Team plan',
      'TEST-INV-2026-000042',
      `€11.90 on ${localDay('2026-12-20T09:30:00Z', '20 December 2026')}`,
      cancel,
    ])
      expect(page).toContain(words)
    expect(page).not.toContain('Order number')
    expect(page).toContain('<time dateTime="2026-11-20T09:30:00Z">20 November 2026 at 09:30 UTC</time>')
  })

  it('a trial shows what will be charged, and when', async () => {
    const page = await checkout('started', 'en')
    for (const words of [
      'free trial',
      'Order number',
      orderNumber,
      `€11.90 on ${localDay('2026-12-04T09:30:00Z', '4 December 2026')}`,
      cancel,
    ])
      expect(page).toContain(words)
    expect(page).not.toContain('Paid on')
  })

  it('asks the buyer of a purchase to pay it when the bank returned the direct debit', async () => {
    const page = await checkout('owed', 'en')
    for (const text of ['Please pay €41.65', 'TEST-INV-2026-000042', 'Pay €41.65']) expect(page).toContain(text)
    expect(page).toMatch(/<form[^>]*method="post"/)
    for (const method of ['creditcard', 'paypal', 'directdebit']) expect(page).toContain(`value="${method}"`)
    expect(page).not.toContain('value="ideal"')
    expect(await checkout('writtenOff', 'en')).toContain('credit note')
  })

  it('says where to transfer the money to, with the reference and the last day', async () => {
    const page = await checkout('transfer', 'en')
    for (const words of ['Please transfer €41.65', 'ABNANL2A', 'RF12-3456-7890-1234', '2026-12-05T00:00:00Z'])
      expect(page).toContain(words)
    // The page shows groups of four. The copied text has no spaces.
    const account = /<span><span>(NL53)<\/span>.*?(?=<\/span><\/dd>|<\/span><\/p>|<\/div>)/.exec(page)?.[0] ?? ''
    expect(account.replaceAll(/<[^>]*>/g, '')).toBe('NL53ABNA0627535577')
  })

  it('a payment on its way shows the same, and by when it is confirmed', async () => {
    const page = await checkout('pending', 'en')
    for (const words of [
      '2 × Team plan',
      'Order number',
      orderNumber,
      `€11.90 on ${localDay('2026-12-20T09:30:00Z', '20 December 2026')}`,
      cancel,
    ])
      expect(page).toContain(words)
    expect(page).toMatch(/Confirmed by <time dateTime="2026-11-20T09:45:00Z">20 November 2026 at 09:45 UTC<\/time>\./)
  })

  it('a payment on its way is called a direct debit only where it is one', async () => {
    const page = checkoutPages.pending?.('en', 'pending')
    if (page?.state !== 'pending') throw new Error('No fixture pending')
    expect(await html('en', <Checkout page={page} />)).toContain('working on the SEPA Direct Debit of €41.65')
    const other = await html('en', <Checkout page={{ ...page, isDirectDebit: false }} />)
    expect(other).toContain('Your payment of €41.65 is being processed.')
    expect(other).not.toContain('SEPA')
  })
})

describe('where nothing is charged', () => {
  const fieldset = /<fieldset[^>]* disabled="" hidden="">/g

  it('company and address are asked for only if they are filled in', async () => {
    expect(await checkout('free', 'en')).not.toMatch(/name="(taxId|companyName|city)"/)
    expect(await checkout('free', 'en')).toMatch(/name="email"/)
  })

  it('nothing but the email address is required: country and name are folded', async () => {
    const page = await checkout('free', 'en')
    const required = [...page.matchAll(/<(?:input|select)[^>]*>/g)].filter(
      ([tag]) => /\srequired(?:=|\s|>)/.test(tag) && !tag.includes('type="radio"'),
    )
    expect(required.map(([tag]) => /name="(\w+)"/.exec(tag)?.[1])).toEqual(['email'])
    expect(page).toMatch(/<details class="field-fold"><summary[^>]*>Add name and country/)
    expect(await checkout('open', 'en')).not.toContain('Add name and country')
  })

  it('no payment method is asked for, nor any consent to renewals', async () => {
    const free = await checkout('free', 'en')
    expect(free.match(fieldset)).toHaveLength(3) // the methods, the choice of a currency, the consent to begin at once
    expect(free).toContain('Complete order')
    expect(free).not.toContain('allow Billhook Commerce B.V. to charge')
    expect((await checkout('open', 'en')).match(fieldset)).toHaveLength(1)
  })

  it('a subscription without a method needs none for its details', async () => {
    const radio = /<input[^>]*type="radio"[^>]*value="paypal"/
    expect(radio.exec(await billing('free', 'en'))?.[0]).not.toContain('required')
    expect(radio.exec(await billing('open', 'en'))?.[0]).toContain('required')
    expect(await billing('free', 'en')).not.toContain('allow Billhook Commerce B.V. to charge')
  })

  it('a method is verified, and after a decline the page says that nothing was changed', async () => {
    const verification = await html('en', <TestPayment page={testPayment('verification')} />)
    expect(verification).toContain('Choose how the verification of this payment method ends. Nothing is charged.')
    expect(verification).toMatch(/value="paid"[^>]*>Verified/)
    for (const page of [await billing('refused', 'en'), await checkout('unverified', 'en')]) {
      expect(page).toContain('The payment method was declined')
      expect(page).toContain('Nothing was changed and nothing was charged. Everything you typed is still here.')
    }
  })

  it('a return is offered for a direct debit only', async () => {
    const returned = 'Paid, later returned by the bank'
    expect(await html('en', <TestPayment page={testPayment('debit')} />)).toContain(returned)
    expect(await html('en', <TestPayment page={testPayment('open')} />)).not.toContain(returned)
  })
})

describe('the billing-update page', () => {
  const methodsOf = (page: string) =>
    [...page.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([input]) => /value="(\w+)"/.exec(input)?.[1])

  it('has every guaranteed field, and none that it does not read', async () => {
    const named = [...(await billing('open', 'en')).matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect([...new Set(named)].sort()).toEqual([...billingUpdateFields, 'lang', 'version'].sort())
  })

  it('offers first to keep the current method, and only if there is one', async () => {
    const open = await billing('open', 'en')
    expect(methodsOf(open).slice(0, 2)).toEqual(['keep', 'creditcard'])
    expect(open).toContain('Keep card •••• 4242')
    expect(open).toMatch(/<input[^>]*checked=""[^>]*value="keep"/)
    expect(open).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(methodsOf(await billing('lost', 'en'))[0]).toBe('creditcard')
    expect(await billing('live', 'en')).not.toContain('paybybank')
  })

  it('unfolds company and address if one is stored', async () => {
    expect(await billing('company', 'en')).toContain(
      '<details class="field-fold" data-opened="asksForAddress asksForProvince" open="">',
    )
    expect(await billing('domestic', 'en')).toContain('Accepted. You and the seller are in the same country')
    expect(await billing('company', 'en')).toContain('Accepted. You account for the tax yourself')
  })

  it('states the next charge, and asks for consent to renewals only when there is one', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    const next = 'Next charge: €12.10 on 20 December 2026. Tax on all further periods follows the new details.'
    for (const words of [consent, next]) {
      expect(await billing('open', 'en')).toContain(words)
      expect(await billing('lost', 'en')).not.toContain(words)
    }
    expect(await billing('lost', 'en')).toContain('debit your account by SEPA Direct Debit')
  })

  it('states why a payment was declined, and that a new method is charged at once', async () => {
    const declined = await billing('declined', 'en')
    expect(declined).toContain('The payment of €12.10 was declined')
    expect(declined).toContain('Reason: Insufficient funds')
    expect(declined.split('With a new payment method, €12.10 is charged at once.')).toHaveLength(3)
    expect(declined).toContain('If you keep the current one, nothing is charged now.')
    expect(await billing('lost', 'en')).not.toContain('the current one')
    expect(declined.indexOf('id="notice"')).toBeLessThan(declined.indexOf('<form'))
  })

  it('has text on its button that holds for every method that can be chosen', async () => {
    const button = async (name: string) => /<button[^>]*>([^<]*)<\/button>/.exec(await billing(name, 'en'))?.[1]
    expect(await button('open')).toBe('Save changes')
    expect(await button('declined')).toBe('Save and continue')
    expect(await button('lost')).toBe('Save and pay €12.10')
  })

  it('has a way back to the shop if there is a page to go back to', async () => {
    const cancelOf = async (name: string) => /<button[^>]*name="intent"[^>]*>/.exec(await billing(name, 'en'))?.[0]
    for (const attribute of ['formnovalidate=""', 'type="submit"', 'value="cancel"'])
      expect((await cancelOf('open'))?.toLowerCase()).toContain(attribute)
    expect(await cancelOf('declined')).toBeUndefined()
  })

  it('keeps what was typed, and states beside each field and in the summary what to do', async () => {
    const page = await billing('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 fields need another look')
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

describe('the invoice-update page', () => {
  it('has every guaranteed field, and none that it does not read', async () => {
    const named = [...(await invoiceUpdate('open', 'en')).matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(named.sort()).toEqual([...invoiceUpdateFields, 'lang', 'version'].sort())
  })

  it('states which invoice of which shop it is for, and links to it beside the form', async () => {
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
  ] as const)('says that the address of a credit note is shown on that: %s', async (locale, words) => {
    const page = invoiceUpdatePages.creditNote?.(locale, 'creditNote')
    if (page?.state !== 'open') throw new Error('No fixture creditNote')
    for (const companyDetails of ['optional', 'asked', 'required'] as const) {
      const shown = await html(locale, <InvoiceUpdate page={{ ...page, companyDetails }} />)
      expect(/id="address-hint">([^<]*)/.exec(shown)?.[1]).toContain(words)
    }
  })

  it('does not say how a tax ID begins where that is not known', async () => {
    const page = invoiceUpdatePages.open?.('en', 'open')
    if (page?.state !== 'open') throw new Error('No fixture open')
    const unknown = await html('en', <InvoiceUpdate page={{ ...page, taxIdPrefix: null }} />)
    expect(unknown).toContain('>It does not change the tax that was charged.<')
  })

  it('shows the country and why it stays, and sends it without a choice', async () => {
    const page = await invoiceUpdate('open', 'en')
    expect(page).toContain('Germany')
    expect(page).toContain('It cannot be changed here: the tax that was charged depends on it.')
    expect(page).toContain('<input type="hidden" name="country" value="DE"/>')
    expect(page).not.toContain('<select')
  })

  it('states the effect of a tax ID, or why it cannot be left out', async () => {
    const taxId = async (name: string) => /<input[^>]*name="taxId"[^>]*>/.exec(await invoiceUpdate(name, 'en'))?.[0]
    expect(await invoiceUpdate('open', 'en')).toContain('Begins with DE. It does not change the tax that was charged.')
    expect(await taxId('open')).not.toContain('required')
    expect(await invoiceUpdate('reverse', 'en')).toContain(
      'It has to be shown, because you account for the tax yourself',
    )
    expect(await taxId('reverse')).toContain('required=""')
  })

  it('offers the details for later orders unticked, and explains the effect there', async () => {
    const box = async (name: string) => /<input[^>]*type="checkbox"[^>]*>/.exec(await invoiceUpdate(name, 'en'))?.[0]
    expect(await box('open')).toContain('value="true"')
    expect(await box('open')).not.toContain('checked')
    expect(await box('problems')).toContain('checked=""')
    expect(await invoiceUpdate('open', 'en')).toContain('all your running subscriptions at Northwind Tools')
  })

  it('keeps what was typed, and states beside each field and in the summary what to do, in the order of the page', async () => {
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

  it('asks for a tax ID that the invoice has to show, and does not offer to leave it out', async () => {
    expect(await invoiceUpdate('needed', 'en')).toContain('Enter the number: with a reverse charge it has to be shown')
    const page = await invoiceUpdate('elsewhere', 'en')
    expect(page).toContain('>Enter a number that begins with DE<')
    expect(page).not.toContain('leave the field empty')
  })

  it('has one button', async () => {
    expect((await invoiceUpdate('open', 'en')).match(/<button[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/type="submit">Save$/),
    ])
  })

  it('confirms the update, and links to the invoice and to the form again', async () => {
    const page = await invoiceUpdate('done', 'en')
    expect(page).toContain('Invoice TEST-INV-2026-000042 now shows the details you saved.')
    expect(page).toMatch(/<a class="[^"]*" href="\/invoices\/corrected\.en">Show the invoice</)
    expect(page).toMatch(/<a class="[^"]*" href="\/invoice-update\/open\.en">Change the details again</)
    expect(page).not.toContain('subscriptions')
    expect(await invoiceUpdate('later', 'en')).toContain('Your running subscriptions at Northwind Tools use them')
    expect(await invoiceUpdate('credited', 'en')).toContain('Credit note TEST-CN-2026-000003 now shows')
  })

  it('hides the invoice after the link has expired', async () => {
    const page = await invoiceUpdate('expired', 'en')
    expect(page).toContain('This link has expired')
    expect(page).not.toMatch(/TEST-INV|<form|Schmidt/)
  })

  it('marks test mode', async () => {
    expect(await invoiceUpdate('open', 'en')).toContain('Test mode: no real money')
    expect(await invoiceUpdate('live', 'en')).not.toContain('Test mode')
  })
})

it('claims no total as seen before the script keeps it current, but the price of a renewal after a trial', async () => {
  expect(await checkout('open', 'en')).not.toContain('name="seenPrices"')
  expect(await checkout('trial', 'en')).toMatch(/<input [^>]*name="seenPrices" value="0.00 EUR, 11.90 EUR"/)
})

it('marks test mode, and nothing else', async () => {
  expect(await checkout('open', 'en')).toContain('Test mode: no real money')
  expect(await checkout('live', 'en')).not.toContain('Test mode')
})

it('cites the reverse charge on an invoice', async () => {
  expect(await invoice(anInvoice('reverse', 'de'))).toContain('Steuerschuldnerschaft des Leistungsempfängers')
})

it('states no rate on an invoice outside the scope of VAT', async () => {
  const page = await invoice(anInvoice('outsideScope', 'de'))
  expect(page).toMatch(/<dt[^>]*>Nicht steuerbar in der EU<.dt><dd[^>]*>0,00 €</)
  expect(page).not.toContain('0 %')
})

describe('an invoice', () => {
  it('links to the same as a file, on the screen alone', async () => {
    expect(await invoice(anInvoice('sale', 'en'))).toMatch(
      /<p class="[^"]*print:hidden[^"]*"><a href="\/invoices\/sale\.en\/pdf" type="application\/pdf">Open as PDF<\/a>/,
    )
  })

  it('keeps its date of issue when it was updated, and states when that was', async () => {
    const page = await invoice(anInvoice('corrected', 'en'))
    expect(page).toMatch(/Date of issue and payment<\/dt><dd[^>]*>20 November 2026</)
    expect(page).toMatch(/Corrected on<\/dt><dd[^>]*>1 December 2026</)
    expect(await invoice(anInvoice('sale', 'en'))).not.toContain('Corrected on')
  })

  it('has the right heading, and refers to the invoice that it credits with its date', async () => {
    const page = await invoice(anInvoice('credit', 'en'))
    expect(page).toContain('>Credit note</h1>')
    expect(page).toMatch(/For invoice<\/dt><dd[^>]*>TEST-INV-2026-000042 of 20 November 2026</)
    expect(page).toContain('This is not a real credit note.')
    expect(await invoice(anInvoice('sale', 'en'))).not.toMatch(/credit note|For invoice/i)
  })

  it('states how it was paid, by the name of the method alone', async () => {
    const byCard = (locale: Locale) => invoice({ ...anInvoice('sale', locale), paymentMethod: 'creditcard' })
    expect(await byCard('en')).toContain('Paid in full on 20 November 2026 (Credit or debit card). Nothing is due.')
    expect(await byCard('de')).toContain('Am 20. November 2026 vollständig bezahlt (Kredit- oder Debitkarte).')
  })

  it('states the cause of a credit note and how the money was returned', async () => {
    const refund = await invoice(anInvoice('credit', 'en'))
    expect(refund).toMatch(/Reason<\/dt><dd[^>]*>Refund</)
    expect(refund).toContain('Paid back on 3 December 2026 (SEPA Direct Debit).')
    const chargeback = await invoice(anInvoice('chargeback', 'en'))
    expect(chargeback).toMatch(/Reason<\/dt><dd[^>]*>Chargeback</)
    expect(chargeback).toContain('Paid back through a chargeback of the payment.')
    expect(await invoice(anInvoice('creditLive', 'en'))).toContain('Paid back on 3 December 2026.')
    for (const page of [refund, chargeback]) expect(page).not.toContain('Nothing is due')
  })
})
