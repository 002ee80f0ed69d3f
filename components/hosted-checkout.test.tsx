import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { billingPages, checkoutPages, testPaymentPages } from '@/e2e/fixtures/hosted-pages.ts'
import { paymentLinkPages } from '@/e2e/fixtures/payment-link-pages.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import { buyerFields } from '@/lib/modules/checkouts/page.ts'
import type { TestPaymentPage } from '@/lib/modules/payments/page.ts'
import { BillingUpdate } from './billing-update/billing-update-page.tsx'
import { Checkout } from './checkout/checkout-page.tsx'
import { PaymentLink } from './checkout/payment-link.tsx'
import { TestPayment } from './payment/test-payment.tsx'

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

const checkout = (name: string, locale: Locale) => {
  const page = checkoutPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <Checkout page={page} />)
}

function openPage(name: string) {
  const page = checkoutPages[name]?.('en', name)
  if (page?.state !== 'open') throw new Error(`No fixture ${name} of an open checkout`)
  return page
}

const trialBegun = (kind: 'digital_content' | 'service' | 'mixed') => {
  const page = Object.values(checkoutPages)
    .map((each) => each('en', 'trial'))
    .find((each) => each.state === 'paid' && each.receipt.items.some(({ total }) => total === null))
  if (page?.state !== 'paid') throw new Error('No fixture of a trial')
  const withdrawal = { kind, beginsAtOnce: true, until: '2026-12-04', url: '#' }
  return html('en', <Checkout page={{ ...page, receipt: { ...page.receipt, withdrawal } }} />)
}

it.each(['digital_content', 'service', 'mixed'] as const)(
  'if a free trial begins immediately, its receipt says that the trial is not charged: %s',
  async (kind) => expect(await trialBegun(kind)).toContain('The free trial is not charged.'),
)

const billing = (name: string, locale: Locale) => {
  const page = billingPages[name]?.(locale, name)
  if (!page) throw new Error(`No fixture ${name}`)
  return html(locale, <BillingUpdate page={page} />)
}

function testPayment(name: string): TestPaymentPage {
  const page = testPaymentPages[name]?.('en', name)
  if (!page) throw new Error(`No fixture ${name}`)
  return page
}

describe('the form of a payment link', () => {
  const link = (name: string) => html('en', <PaymentLink page={paymentLinkPages[name]?.('en', name) as never} />)

  it('the form of a payment link has the checkout fields, a unique key, the displayed prices, and a quantity field', async () => {
    const page = await link('quantity')
    for (const name of [...buyerFields, 'key', 'seenPrices', 'quantity.0']) expect(page).toContain(` name="${name}"`)
    expect(page).toContain('>Quantity<')
    expect(page).toContain('From 1 to 1,000')
  })

  it('a payment link form has no field for a fixed quantity, and names the product of each quantity field', async () => {
    expect(await link('fixed')).not.toContain('name="quantity')
    expect(await link('quantities')).toContain('>Quantity of Onboarding<')
  })

  it('the form of a payment link has no cancel button', async () => {
    expect(await link('fixed')).not.toContain('value="cancel"')
  })
})

describe('the checkout form', () => {
  it('the checkout form has every documented field', async () => {
    const page = await checkout('usa', 'en')
    for (const name of buyerFields) expect(page).toContain(` name="${name}"`)
  })

  it('the checkout form and the cancel form have one submit button each', async () => {
    const buttons = (await checkout('open', 'en')).match(/<button[^>]*>/g) ?? []
    expect(buttons).toHaveLength(2)
    expect(buttons[0]).not.toContain('name=')
    for (const attribute of ['name="intent"', 'type="submit"', 'value="cancel"'])
      expect(buttons[1]).toContain(attribute)
  })

  it('the checkout asks for confirmation before it is canceled, even without JavaScript', async () => {
    const asked = /<details class="[^"]*"><summary[^>]*>Cancel and go back to Northwind Tools<[\s\S]*?<\/details>/
    expect(asked.exec(await checkout('open', 'en'))?.[0]).toContain('Yes, cancel the order')
  })

  it('the checkout shows the first of many lines and collapses the other lines', async () => {
    const [shown = '', folded = ''] = (await checkout('many', 'en')).split('45 more items')
    expect(shown).toContain('Licence 5<')
    expect(shown).not.toContain('Licence 6<')
    expect(folded).toContain('Licence 50<')
    expect(await checkout('open', 'en')).not.toContain('more item')
  })

  it('the checkout preselects no country if none is known', async () => {
    expect(await checkout('nowhere', 'en')).toContain('<option value="" selected="">Choose your country</option>')
    expect(await checkout('open', 'en')).not.toContain('Choose your country')
  })

  it('the checkout offers a currency only if the buyer has a choice', async () => {
    const choice = '<fieldset data-enabled="currencies.1" data-shown="currencies.1"'
    expect(await checkout('usa', 'en')).toContain(`${choice}>`)
    expect(await checkout('open', 'en')).toContain(`${choice} disabled="" hidden="">`)
    expect(await checkout('usa', 'en')).toContain('USD – US Dollar')
    expect(await checkout('open', 'en')).not.toContain('value="USD"')
  })

  it('the checkout disables unavailable payment methods in test mode and hides them in live mode', async () => {
    expect(await checkout('open', 'en')).toMatch(/<input[^>]*disabled=""[^>]*value="paybybank"/)
    expect(await checkout('open', 'en')).toContain('Not available in test mode.')
    expect(await checkout('live', 'en')).toMatch(/<li[^>]*hidden=""[^>]*>(?:(?!<li).)*value="paybybank"/s)
  })

  it('the buyer’s country decides the order of the payment methods, and the first method is preselected unless the buyer chose a method before', async () => {
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

  it('the checkout repeats the ordered items right above the button', async () => {
    const page = await checkout('open', 'en')
    const names = [...page.matchAll(/data-item="name"[^>]*>([^<]+)</g)].map(([, name]) => name)
    const { quote } = openPage('open')
    const ordered = quote.lines.map(({ name }) => name)
    expect(ordered.length).toBeGreaterThan(1)
    expect(names).toEqual([...ordered, ...ordered])
    expect(page.lastIndexOf('data-item="name"')).toBeGreaterThan(page.indexOf('name="paymentMethod"'))
    expect(page.lastIndexOf('data-item="name"')).toBeLessThan(page.indexOf('data-sending'))
  })

  it('the checkout asks for consent to renewals only if something renews', async () => {
    const consent = 'allow Billhook Commerce B.V. to charge'
    expect(await checkout('open', 'en')).toContain(consent)
    expect(await checkout('live', 'en')).not.toContain(consent)
  })
})

describe('a refused checkout form', () => {
  it('a refused checkout form keeps all entered values', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toContain('value="anna.schmidt@example"')
    expect(page).toContain('value="Schmidt &amp; Töchter GmbH"')
    expect(page).toMatch(/<option value="DE" selected="">/)
  })

  it('a refused checkout form says what to do, next to each field and in the summary', async () => {
    const page = await checkout('problems', 'en')
    expect(page).toMatch(/<section autofocus="" [^>]*id="problems"/)
    expect(page).toContain('4 fields need another look')
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/href="#fullName">Full name: Use 255 characters at most</)
    expect(page).toMatch(/id="email"[^>]*aria-invalid="true"[^>]*aria-describedby="email-error"/)
  })

  it('a refused checkout form with a reverse charge shows the fields that the invoice requires', async () => {
    const page = await checkout('reverseLive', 'en')
    expect(page).toContain('4 fields need another look')
    expect(page).toMatch(/href="#companyName">Enter the name of your company</)
    expect(page).toMatch(/href="#postalCode">Enter a postal code like 10115</)
    expect(page).toMatch(/id="city"[^>]*aria-invalid="true"[^>]*aria-describedby="city-error"/)
    expect(page).toContain('<details class="field-fold" data-opened="asksForAddress asksForProvince" open="">')
    expect(page).toContain('has to show your company and address')
  })

  it('the checkout collapses the address unless it is filled in, wrong, or required for the tax', async () => {
    const folds = async (name: string) =>
      [...(await checkout(name, 'en')).matchAll(/<details class="field-fold"[^>]*?( open="")?>/g)].map(
        ([, open]) => !open,
      )
    expect(await folds('open')).toEqual([true])
    expect(await folds('canada')).toEqual([true, true])
    expect(await folds('problems')).toEqual([false])
    expect(await folds('reverseLive')).toEqual([false])
  })

  it('the tax ID field of the checkout is always visible in the EU, and is in the collapsed company section elsewhere', async () => {
    const beforeFolds = async (name: string) => (await checkout(name, 'en')).split('field-fold')[0] ?? ''
    expect(await beforeFolds('open')).toContain('name="taxId"')
    expect(await beforeFolds('open')).not.toContain('name="companyName"')
    expect(await beforeFolds('canada')).not.toContain('name="taxId"')
    expect(await checkout('canada', 'en')).toContain('name="taxId"')
    expect(await checkout('canada', 'en')).toContain('data-opened="asksForTaxId"')
  })

  it('the checkout in Canada expands the postal code field, because the postal code decides the province', async () => {
    const page = await checkout('canada', 'en')
    expect(page.split('field-fold')[0]).toContain('name="postalCode"')
    expect(page.match(/name="postalCode"/g)).toHaveLength(1)
    expect((await checkout('open', 'en')).split('field-fold')[0]).not.toContain('name="postalCode"')
  })

  it('the checkout says why a payment was declined', async () => {
    const page = await checkout('declined', 'en')
    expect(page).toContain('There is not enough money in the account.')
    expect(page).toMatch(/checked=""[^>]*value="creditcard"|value="creditcard"[^>]*checked=""/)
  })
})

describe('after the sale', () => {
  const cancel = 'You can cancel at any time through Northwind Tools.'
  const orderNumber = 'order_0123456789abcdefghijkl'
  const localDay = (moment: string, day: string) => `<time class="whitespace-nowrap" dateTime="${moment}">${day}</time>`

  it('the page of a paid order shows its items, invoice, payment time, next charge, and how to cancel', async () => {
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

  it('the receipt shows its times in the time zone of the buyer’s browser', async () => {
    const page = checkoutPages.paid?.('en', 'paid')
    if (page?.state !== 'paid') throw new Error('No fixture of a paid order')
    const receipt = { ...page.receipt, timeZone: 'Pacific/Auckland' }
    const text = await html('en', <Checkout page={{ ...page, receipt }} />)
    expect(text.replaceAll('\u00a0', ' ')).toContain('20 November 2026 at 22:30 GMT+13')
  })

  it('the page of a trial shows the first charge and its date', async () => {
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

  it('if the bank returned the direct debit, the page of the purchase asks the buyer to pay', async () => {
    const page = await checkout('owed', 'en')
    for (const text of ['Please pay €41.65', 'TEST-INV-2026-000042', 'Pay €41.65']) expect(page).toContain(text)
    expect(page).toMatch(/<form[^>]*method="post"/)
    for (const method of ['creditcard', 'paypal', 'directdebit']) expect(page).toContain(`value="${method}"`)
    expect(page).not.toContain('value="ideal"')
    expect(await checkout('writtenOff', 'en')).toContain('credit note')
  })

  it('the page of a bank transfer shows the bank details, the reference, and the payment deadline', async () => {
    const page = await checkout('transfer', 'en')
    for (const words of ['Please transfer €41.65', 'ABNANL2A', 'RF12-3456-7890-1234', '2026-12-05T00:00:00Z'])
      expect(page).toContain(words)
    // The page shows the IBAN in groups of four, but the copied text must contain no spaces.
    const account = /<span><span>(NL53)<\/span>.*?(?=<\/span><\/dd>|<\/span><\/p>|<\/div>)/.exec(page)?.[0] ?? ''
    expect(account.replaceAll(/<[^>]*>/g, '')).toBe('NL53ABNA0627535577')
  })

  it('the page of a pending payment shows the order and the time by which the payment will be confirmed', async () => {
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

  it('the page of a pending payment mentions SEPA Direct Debit only if the buyer pays by direct debit', async () => {
    const page = checkoutPages.pending?.('en', 'pending')
    if (page?.state !== 'pending') throw new Error('No fixture pending')
    expect(await html('en', <Checkout page={page} />)).toContain('working on the SEPA Direct Debit of €41.65')
    const other = await html('en', <Checkout page={{ ...page, isDirectDebit: false }} />)
    expect(other).toContain('Your payment of €41.65 is being processed.')
    expect(other).not.toContain('SEPA')
  })
})

describe('checkouts without a charge', () => {
  const fieldset = /<fieldset[^>]* disabled="" hidden="">/g

  it('a free checkout shows company and address only if they are filled in', async () => {
    expect(await checkout('free', 'en')).not.toMatch(/name="(taxId|companyName|city)"/)
    expect(await checkout('free', 'en')).toMatch(/name="email"/)
    const page = openPage('free')
    const form = { ...page.form, companyName: 'Schmidt & Töchter', city: 'Berlin' }
    const filled = await html('en', <Checkout page={{ ...page, form }} />)
    for (const name of ['companyName', 'city']) expect(filled).toContain(` name="${name}"`)
    for (const value of ['Schmidt &amp; Töchter', 'Berlin']) expect(filled).toContain(` value="${value}"`)
  })

  it('a free checkout requires only the email address, and collapses country and name', async () => {
    const page = await checkout('free', 'en')
    const required = [...page.matchAll(/<(?:input|select)[^>]*>/g)].filter(
      ([tag]) => /\srequired(?:=|\s|>)/.test(tag) && !tag.includes('type="radio"'),
    )
    expect(required.map(([tag]) => /name="(\w+)"/.exec(tag)?.[1])).toEqual(['email'])
    expect(page).toMatch(/<details class="field-fold"><summary[^>]*>Add name and country/)
    expect(await checkout('open', 'en')).not.toContain('Add name and country')
  })

  it('a free checkout asks for no payment method and no consent to renewals', async () => {
    const free = await checkout('free', 'en')
    expect(free.match(fieldset)).toHaveLength(3) // hidden: payment methods, currencies, consent to immediate start
    expect(free).toContain('Complete order')
    expect(free).not.toContain('allow Billhook Commerce B.V. to charge')
    expect((await checkout('open', 'en')).match(fieldset)).toHaveLength(1)
  })

  it('the billing details of a free subscription require no payment method', async () => {
    const radio = /<input[^>]*type="radio"[^>]*value="paypal"/
    expect(radio.exec(await billing('free', 'en'))?.[0]).not.toContain('required')
    expect(radio.exec(await billing('open', 'en'))?.[0]).toContain('required')
    expect(await billing('free', 'en')).not.toContain('allow Billhook Commerce B.V. to charge')
  })

  it('after a declined verification, the billing-update page and the checkout say that nothing was changed or charged', async () => {
    const verification = await html('en', <TestPayment page={testPayment('verification')} />)
    expect(verification).toContain('Choose how the verification of this payment method ends. Nothing is charged.')
    expect(verification).toMatch(/value="paid"[^>]*>Verified/)
    for (const page of [await billing('refused', 'en'), await checkout('unverified', 'en')]) {
      expect(page).toContain('The payment method was declined')
      expect(page).toContain('Nothing was changed and nothing was charged. Everything you typed is still here.')
    }
  })

  it('the test payment page offers the outcome "later returned by the bank" only for a direct debit', async () => {
    const returned = 'Paid, later returned by the bank'
    expect(await html('en', <TestPayment page={testPayment('debit')} />)).toContain(returned)
    expect(await html('en', <TestPayment page={testPayment('open')} />)).not.toContain(returned)
  })
})

it('the initial HTML of the checkout form has a field with the displayed prices only if the checkout has a trial', async () => {
  expect(await checkout('open', 'en')).not.toContain('name="seenPrices"')
  expect(await checkout('trial', 'en')).toMatch(/<input [^>]*name="seenPrices" value="0.00 EUR, 11.90 EUR"/)
})
