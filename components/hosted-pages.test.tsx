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
import { paymentLinkPages } from '@/e2e/fixtures/payment-link-pages.ts'
import { type Locale, locales } from '@/lib/kernel/locale.ts'
import { invoiceDocumentOf } from '@/lib/modules/invoices/invoice-document.ts'
import type { InvoicePage } from '@/lib/modules/invoices/page.ts'
import { translator } from '@/lib/platform/translate.ts'
import { BillingUpdate } from './billing-update/billing-update-page.tsx'
import { Checkout } from './checkout/checkout-page.tsx'
import { PaymentLink } from './checkout/payment-link.tsx'
import { InvoiceDocumentView } from './invoice/invoice-document.tsx'
import { InvoiceUpdate } from './invoice-update/invoice-update-page.tsx'
import { TestPayment } from './payment/test-payment.tsx'
import { DownPage, NotFoundPage } from './ui/unreachable-pages.tsx'

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

function anInvoice(name: string, locale: Locale): InvoicePage {
  const page = invoicePages[name]?.(locale)
  if (!page) throw new Error(`No fixture ${name}`)
  return page
}

/**
 * All states in two languages, and a third of the states in each other language. `scripts/conventions.test.ts` checks
 * that all languages have the same messages with the same arguments.
 */
const statesIn = <State,>(locale: Locale, states: readonly State[]): State[] =>
  ['de', 'pl'].includes(locale) ? [...states] : states.filter((_, nth) => nth % 3 === locales.indexOf(locale) % 3)

describe.each(locales)('hosted pages in the language %s', (locale) => {
  it.each(statesIn(locale, Object.keys(checkoutPages)))(
    'the checkout page in the state "%s" has a heading and no missing translation',
    async (name) => {
      expect(await checkout(name, locale)).toMatch(/<h1/)
    },
  )

  it.each(statesIn(locale, Object.entries(paymentLinkPages)))(
    'the page of a payment link in the state "%s" has a heading and no missing translation',
    async (name, page) => {
      expect(await html(locale, <PaymentLink page={page(locale, name)} />)).toMatch(/<h1/)
    },
  )

  it.each(statesIn(locale, Object.keys(billingPages)))(
    'the billing-update page in the state "%s" has a heading and no missing translation',
    async (name) => {
      expect(await billing(name, locale)).toMatch(/<h1/)
    },
  )

  it.each(statesIn(locale, Object.keys(invoiceUpdatePages)))(
    'the invoice-update page in the state "%s" has a heading and no missing translation',
    async (name) => {
      expect(await invoiceUpdate(name, locale)).toMatch(/<h1/)
    },
  )

  it.each(statesIn(locale, Object.entries(testPaymentPages)))(
    'the test payment page in the state "%s" has a heading and no missing translation',
    async (name, page) => {
      expect(await html(locale, <TestPayment page={page(locale, name)} />)).toMatch(/<h1/)
    },
  )

  it.each(statesIn(locale, Object.entries(invoicePages)))(
    'the invoice page in the state "%s" has the invoice number and no missing translation',
    async (_name, page) => {
      expect(await invoice(page(locale))).toContain(page(locale).number)
    },
  )

  it('the page for an unknown link differs from the page for an unavailable service', async () => {
    expect(await html(locale, <NotFoundPage />)).not.toBe(await html(locale, <DownPage />))
  })
})

it('the checkout marks test mode, and shows no mark in live mode', async () => {
  expect(await checkout('open', 'en')).toContain('Test mode: no real money')
  expect(await checkout('live', 'en')).not.toContain('Test mode')
})

it('an invoice with a reverse charge states that the recipient owes the tax', async () => {
  expect(await invoice(anInvoice('reverse', 'de'))).toContain('Steuerschuldnerschaft des Leistungsempfängers')
})

it('an invoice outside the scope of VAT states no tax rate', async () => {
  const page = await invoice(anInvoice('outsideScope', 'de'))
  expect(page).toMatch(/<dt[^>]*>Nicht steuerbar in der EU<.dt><dd[^>]*>0,00 €</)
  expect(page).not.toContain('0 %')
})

describe('an invoice', () => {
  it('an invoice page links to the PDF on screen but not in print', async () => {
    expect(await invoice(anInvoice('sale', 'en'))).toMatch(
      /<p class="[^"]*print:hidden[^"]*"><a href="\/invoices\/sale\.en\/pdf" type="application\/pdf">Open as PDF<\/a>/,
    )
  })

  it('an updated invoice keeps its date of issue and states the date of the update', async () => {
    const page = await invoice(anInvoice('corrected', 'en'))
    expect(page).toMatch(/Date of issue and payment<\/dt><dd[^>]*>20 November 2026</)
    expect(page).toMatch(/Corrected on<\/dt><dd[^>]*>1 December 2026</)
    expect(await invoice(anInvoice('sale', 'en'))).not.toContain('Corrected on')
  })

  it('a credit note has its own heading, and names the credited invoice with its date', async () => {
    const page = await invoice(anInvoice('credit', 'en'))
    expect(page).toContain('>Credit note</h1>')
    expect(page).toMatch(/For invoice<\/dt><dd[^>]*>TEST-INV-2026-000042 of 20 November 2026</)
    expect(page).toContain('This is not a real credit note.')
    expect(await invoice(anInvoice('sale', 'en'))).not.toMatch(/credit note|For invoice/i)
  })

  it('an invoice names the kind of the payment method and the day of the payment', async () => {
    const byCard = (locale: Locale) => invoice({ ...anInvoice('sale', locale), paymentMethod: 'creditcard' })
    expect(await byCard('en')).toContain('Paid in full on 20 November 2026 (Credit or debit card). Nothing is due.')
    expect(await byCard('de')).toContain('Am 20. November 2026 vollständig bezahlt (Kredit- oder Debitkarte).')
  })

  it.each([
    ['en', 'Direct debit returned, invoice not paid', 'Nothing is due.'],
    ['de', 'Lastschrift zurückgegeben, Rechnung nicht bezahlt', 'Es ist nichts mehr offen.'],
    ['fr', 'Prélèvement rejeté, facture impayée', 'Il ne reste rien à régler.'],
    ['es', 'Adeudo directo devuelto, factura impagada', 'No queda nada pendiente.'],
    ['it', 'Addebito diretto respinto, fattura non pagata', 'Nulla è dovuto.'],
    ['nl', 'Incasso gestorneerd, factuur niet betaald', 'Er staat niets meer open.'],
    ['pl', 'Zwrócone polecenie zapłaty, faktura nieopłacona', 'Nic nie pozostało do zapłaty.'],
    ['pt', 'Débito direto devolvido, fatura não paga', 'Nada em dívida.'],
  ] as const)(
    'in the language %s, the credit note of a written-off invoice states that the direct debit was returned, and that nothing is due',
    async (locale, reason, nothingDue) => {
      const page = await invoice(anInvoice('writtenOff', locale))
      for (const words of [reason, nothingDue]) expect(page).toContain(words)
      const t = await translator(locale)
      for (const key of ['chargeback', 'chargedBack'] as const)
        expect(page).not.toContain(t(`invoice.creditNote.${key}`))
    },
  )

  it('a credit note states its cause and how the money was returned', async () => {
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
