import {
  countryName,
  currencyName,
  day,
  days,
  decimalNumber,
  hasRate,
  money,
  percent,
  taxName,
  wholeNumber,
} from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import { lookUp } from '../../kernel/look-up.ts'
import type { translator } from '../../platform/translate.ts'
import type { InvoiceDocument, InvoicePage } from './page.ts'

type Words = Awaited<ReturnType<typeof translator>>

/** The document has the content that Directive 2006/112/EC requires: art. 226 for invoices, and art. 219 for documents that amend an invoice. */
export function invoiceDocumentOf(invoice: InvoicePage, t: Words): InvoiceDocument {
  const { locale, credits, replaces, correctedAt, total } = invoice
  const kind = credits ? 'invoice.creditNote' : 'invoice'
  return {
    locale,
    number: invoice.number,
    madeAt: correctedAt ?? invoice.issuedAt,
    title: t(`${kind}.title`, { number: invoice.number }),
    heading: t(`${kind}.heading`),
    logo: invoice.logo && { ...invoice.logo, name: invoice.storefrontName },
    han: hanOf(invoice),
    test: invoice.testmode ? { band: t('common.testMode'), note: t(`${kind}.testNote`) } : null,
    facts: [
      { label: t(`${kind}.number`), value: invoice.number },
      { label: t(replaces ? 'invoice.issuedOn' : `${kind}.issuedAt`), value: day(invoice.issuedAt, locale) },
      ...suppliedWhen(invoice, t),
      ...(correctedAt === null ? [] : [{ label: t('invoice.correctedAt'), value: day(correctedAt, locale) }]),
      ...(credits ? credited(credits, locale, t) : []),
      ...(replaces
        ? [{ label: t('invoice.replaces'), value: t('invoice.creditNote.creditsOf', dated(replaces, locale)) }]
        : []),
      { label: t('invoice.shop'), value: invoice.storefrontName },
    ],
    parties: [seller(invoice, t), buyer(invoice, t)],
    columns: {
      description: t('invoice.description'),
      quantity: t('invoice.quantity'),
      unitPrice: t('invoice.unitPrice'),
      tax: t('invoice.tax'),
      amount: t('invoice.amount'),
    },
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: wholeNumber(line.quantity, locale),
      unitPrice: money(line.basePrice, locale),
      tax: line.taxes.map((tax) => (hasRate(tax.name) ? percent(tax.percentage, locale) : '–')).join(' + '),
      amount: money(line.subtotal, locale),
      notes: notesOf(line, locale, t),
    })),
    netNote: t('invoice.netNote', { currency: `${total.currency} (${currencyName(total.currency, locale)})` }),
    sums: [
      { label: t('invoice.subtotal'), value: money(invoice.subtotal, locale) },
      ...invoice.taxes.map((tax) => ({ label: taxLabel(tax, locale, t), value: money(tax.amount, locale) })),
    ],
    total: { label: t(`${kind}.total`), value: money(total, locale) },
    closing: [...noTaxNote(invoice, t), ...vatNotes(invoice, t), settlement(invoice, t), ...supportOf(invoice, t)],
    pdf: { url: invoice.pdfUrl, label: t('invoice.pdf') },
    eInvoice: null,
    ubl: invoice.ublUrl ? { url: invoice.ublUrl, label: t('invoice.ubl') } : null,
  }
}

/** The invoice must state the date of supply (Directive 2006/112/EC, art. 226 (7)). */
const suppliedWhen = ({ supply: { on, period }, locale }: InvoicePage, t: Words) => [
  ...(on === null ? [] : [{ label: t('invoice.suppliedOn'), value: day(on, locale) }]),
  ...(period === null ? [] : [{ label: t('invoice.suppliedIn'), value: days(period.from, period.until, locale) }]),
]

function taxLabel({ name: known, percentage, taxable }: InvoicePage['taxes'][number], locale: Locale, t: Words) {
  const name = taxName(known, (key) => t(`common.taxNames.${key}`))
  if (!hasRate(known)) return name
  return t('invoice.taxOn', { name, rate: percent(percentage, locale), taxable: money(taxable, locale) })
}

const dated = ({ number, issuedAt }: { number: string; issuedAt: string }, locale: InvoicePage['locale']) => ({
  number,
  date: day(issuedAt, locale),
})

const credited = (credits: NonNullable<InvoicePage['credits']>, locale: InvoicePage['locale'], t: Words) => [
  {
    label: t('invoice.creditNote.credits'),
    value: t('invoice.creditNote.creditsOf', dated(credits, locale)),
  },
  { label: t('invoice.creditNote.cause'), value: t(`invoice.creditNote.${credits.cause}`) },
]

function hanOf({ buyer, lines, storefrontName }: InvoicePage): InvoiceDocument['han'] {
  const byCountry = { JP: 'japanese', KR: 'korean', CN: 'chinese', TW: 'chinese', HK: 'chinese' } as const
  const country = lookUp(byCountry, buyer.country ?? '')
  const text = [
    buyer.fullName,
    buyer.companyName,
    ...buyer.addressLines,
    storefrontName,
    ...lines.map((line) => line.description),
  ].join()
  if (country) return country
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) return 'japanese'
  return /\p{Script=Hangul}/u.test(text) ? 'korean' : 'chinese'
}

function notesOf({ service, change, subtotal }: InvoicePage['lines'][number], locale: Locale, t: Words): string[] {
  const { plan, quantity, price } = change ?? {}
  const amount = (value: string) => money({ value, currency: subtotal.currency }, locale)
  return [
    service && t('invoice.lines.service', { period: days(service.from, service.until, locale) }),
    plan && t('invoice.lines.changed.plan', { ...plan }),
    quantity &&
      t('invoice.lines.changed.quantity', {
        from: wholeNumber(quantity.from, locale),
        to: wholeNumber(quantity.to, locale),
      }),
    price &&
      t(`invoice.lines.changed.${price.withTax ? 'priceWithTax' : 'price'}`, {
        from: amount(price.from),
        to: amount(price.to),
      }),
  ].filter((note): note is string => Boolean(note))
}

function noTaxNote({ reverseCharge, isOutsideScope }: InvoicePage, t: Words): string[] {
  if (isOutsideScope) return [t('invoice.outsideScopeNote')]
  if (!reverseCharge) return []
  return [t(reverseCharge === 'in_eu' ? 'invoice.reverseChargeNote' : 'invoice.reverseChargeNoteOutsideEu')]
}

const vatNotes = ({ vatStated, locale }: InvoicePage, t: Words): string[] =>
  vatStated.map(({ currency, value, rates, on }) => {
    const equal = ['1 EUR', ...rates.map((each) => `${decimalNumber(each.rate, locale)} ${each.currency}`)].join(' = ')
    const said = { currency, amount: money({ value, currency }, locale), rates: equal }
    return on === null ? t('invoice.vatIn', said) : t('invoice.vatInOfBank', { ...said, date: day(on, locale) })
  })

function supportOf({ support: { supportEmail, supportUrl } }: InvoicePage, t: Words): string[] {
  const places = [supportEmail, supportUrl].filter((place) => place !== null)
  return places.length === 0 ? [] : [`${t('common.support.question')} ${places.join(' · ')}`]
}

function seller({ seller: { name, addressLines, country, vatId }, locale }: InvoicePage, t: Words) {
  const lines = [...addressLines, countryName(country, locale), vatId && t('common.sellerVatId', { vatId })]
  return party(t('invoice.seller'), [name, ...lines])
}

function buyer({ buyer: { companyName, fullName, ...details }, credits, locale }: InvoicePage, t: Words) {
  return party(t(credits ? 'invoice.creditNote.buyer' : 'invoice.buyer'), [
    companyName,
    fullName,
    ...details.addressLines,
    details.country && countryName(details.country, locale),
    details.taxId && t('invoice.taxId', { taxId: details.taxId }),
    details.email,
  ])
}

function party(heading: string, all: (string | null)[]): InvoiceDocument['parties'][number] {
  const [name = '', ...lines] = all.filter((line): line is string => Boolean(line))
  return { heading, name, lines }
}

function settlement(invoice: InvoicePage, t: Words): string {
  const { credits, replaces, settledBy, lines, paymentMethod, locale } = invoice
  // A replacing invoice states the payment date of the replaced invoice.
  const date = day((replaces ?? invoice).issuedAt, locale)
  const method = paymentMethod && t(`common.methods.${paymentMethod}`)
  if (settledBy !== null) return t('invoice.creditNote.settledBy', { number: settledBy })
  // A lost dispute has a credit note without lines if earlier refunds or disputes took the whole amount.
  if (credits && lines.length === 0) return t('invoice.creditNote.nothingLeft')
  if (credits?.cause === 'chargeback') return t('invoice.creditNote.chargedBack')
  if (credits?.cause === 'writtenOff') return t('invoice.creditNote.notPaid')
  if (credits)
    return method ? t('invoice.creditNote.paidBackBy', { date, method }) : t('invoice.creditNote.paidBack', { date })
  return method ? t('invoice.paidBy', { date, method }) : t('invoice.paid', { date })
}
