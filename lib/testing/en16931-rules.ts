import type { ReadInvoice } from './en16931.ts'
import { cents, isItsRate, isText, ofCategories, type Rule, sumOf } from './en16931-categories.ts'
import { codes } from './en16931-codes.ts'

const isOne = (texts: readonly string[]) => texts.length === 1 && isText(texts[0] ?? null)

const totalsOf = (invoice: ReadInvoice) => ({
  lines: cents(invoice.lineSum[0]),
  withoutTax: cents(invoice.withoutTax[0]),
  withTax: cents(invoice.withTax[0]),
  prepaid: cents(invoice.prepaid[0] ?? '0'),
  payable: cents(invoice.payable[0]),
  tax: cents(taxTotalIn(invoice, invoice.currency[0])[0]),
})

const taxTotalIn = ({ taxTotals, taxTotalCurrencies }: ReadInvoice, currency: string | undefined) =>
  taxTotals.filter((_, at) => taxTotalCurrencies[at] === currency)

type LineTerm = keyof ReadInvoice['lines'][number]
type TaxTerm = keyof ReadInvoice['taxes'][number]
const everyLineHas = (term: LineTerm) => (invoice: ReadInvoice) => invoice.lines.every((line) => isText(line[term]))
const everyRowHas = (term: TaxTerm) => (invoice: ReadInvoice) => invoice.taxes.every((row) => isText(row[term]))

const ofContent: Record<string, Rule> = {
  'BR-01': { says: 'names its specification', holds: ({ specification }) => isOne(specification) },
  'BR-02': { says: 'has a number', holds: ({ number }) => isOne(number) },
  'BR-03': { says: 'has a day of issue', holds: ({ issuedOn }) => isOne(issuedOn) },
  'BR-04': { says: 'has a type', holds: ({ type }) => isOne(type) },
  'BR-05': { says: 'has a currency', holds: ({ currency }) => isOne(currency) },
  'BR-06': { says: 'names the seller', holds: ({ sellerName }) => isOne(sellerName) },
  'BR-07': { says: 'names the buyer', holds: ({ buyerName }) => isOne(buyerName) },
  'BR-08': { says: 'has the seller\u2019s address', holds: ({ groups }) => groups.sellerAddresses === 1 },
  'BR-09': { says: 'has the seller\u2019s country', holds: ({ sellerCountry }) => isOne(sellerCountry) },
  'BR-10': { says: 'has the buyer\u2019s address', holds: ({ groups }) => groups.buyerAddresses === 1 },
  'BR-11': { says: 'has the buyer\u2019s country', holds: ({ buyerCountry }) => isOne(buyerCountry) },
  'BR-12': { says: 'has the sum of its lines', holds: ({ lineSum }) => isOne(lineSum) },
  'BR-13': { says: 'has a total without VAT', holds: ({ withoutTax }) => isOne(withoutTax) },
  'BR-14': { says: 'has a total with VAT', holds: ({ withTax }) => isOne(withTax) },
  'BR-15': { says: 'has an amount to pay', holds: ({ payable }) => isOne(payable) },
  'BR-16': { says: 'has a line', holds: ({ lines }) => lines.length > 0 },
  'BR-21': { says: 'numbers its lines', holds: everyLineHas('number') },
  'BR-22': { says: 'has the quantity of each line', holds: everyLineHas('quantity') },
  'BR-23': { says: 'has the unit of each quantity', holds: everyLineHas('unit') },
  'BR-24': { says: 'has the amount of each line', holds: everyLineHas('net') },
  'BR-25': { says: 'names what each line is of', holds: everyLineHas('name') },
  'BR-26': { says: 'has the price of each line', holds: everyLineHas('price') },
  'BR-27': {
    says: 'has no negative price',
    holds: ({ lines }) => lines.every(({ price }) => price === null || Number(price) >= 0),
  },
  'BR-29': {
    says: 'ends its period not before it begins',
    holds: ({ suppliedFrom: [from], suppliedUntil: [until] }) =>
      from === undefined || until === undefined || until >= from,
  },
  'BR-30': {
    says: 'ends no line\u2019s period before it begins',
    holds: ({ lines }) => lines.every(({ from, until }) => from === null || until === null || until >= from),
  },
  'BR-45': { says: 'has what each rate is taken of', holds: everyRowHas('taxable') },
  'BR-46': { says: 'has the VAT of each rate', holds: everyRowHas('tax') },
  'BR-47': { says: 'has the category of each rate', holds: everyRowHas('category') },
  'BR-48': {
    says: 'has each rate, but where nothing is subject to VAT',
    holds: ({ taxes }) => taxes.every(({ rate, category }) => isText(rate) || category === 'O'),
  },
  'BR-49': { says: 'says how it is paid', holds: ({ paymentMeans }) => isOne(paymentMeans) },
  'BR-53': {
    says: 'has the VAT in the currency in which it is stated too',
    holds: (invoice) => invoice.taxCurrency.every((currency) => taxTotalIn(invoice, currency).length === 1),
  },
  'BR-55': {
    says: 'has the number of each document that it corrects',
    holds: ({ groups, credited }) => groups.corrections === credited.filter(isText).length,
  },
  'BR-61': {
    says: 'has the account of a credit transfer',
    holds: ({ paymentMeans, accounts }) =>
      accounts.length > 0 || !paymentMeans.some((means) => /^(30|58)$/.test(means)),
  },
}

const ofSums: Record<string, Rule> = {
  'BR-CO-04': { says: 'has the VAT category of each line', holds: everyLineHas('category') },
  'BR-CO-09': {
    says: 'has VAT IDs that begin with a country',
    holds: ({ sellerVatIds, buyerVatIds }) =>
      [...sellerVatIds, ...buyerVatIds].every((id) => codes.vatIdPrefixes.has(id.slice(0, 2))),
  },
  'BR-CO-10': {
    says: 'adds its lines up',
    holds: (invoice) => sumOf(invoice.lines.map(({ net }) => net)) === totalsOf(invoice).lines,
  },
  'BR-CO-13': {
    says: 'has the sum of its lines as its total without VAT, as it has no allowance',
    holds: (invoice) => totalsOf(invoice).lines === totalsOf(invoice).withoutTax,
  },
  'BR-CO-14': {
    says: 'adds the VAT of its rates up',
    holds: (invoice) => sumOf(invoice.taxes.map(({ tax }) => tax)) === totalsOf(invoice).tax,
  },
  'BR-CO-15': {
    says: 'has the total without VAT and the VAT as its total',
    holds: (invoice) => totalsOf(invoice).withoutTax + totalsOf(invoice).tax === totalsOf(invoice).withTax,
  },
  'BR-CO-16': {
    says: 'has to pay what is left of the total',
    holds: (invoice) => totalsOf(invoice).withTax - totalsOf(invoice).prepaid === totalsOf(invoice).payable,
  },
  'BR-CO-17': {
    // The tax may differ by a cent from the net amount times the rate, because tax-inclusive prices round net and tax
    // separately. The official test is less strict: it allows a difference of one currency unit.
    says: 'states the VAT of each rate, to the cent',
    holds: ({ taxes }) => taxes.every(isItsRate),
  },
  'BR-CO-18': { says: 'has a breakdown of its VAT', holds: ({ taxes }) => taxes.length > 0 },
  'BR-CO-19': {
    says: 'has a beginning or an end of its period',
    holds: ({ groups, suppliedFrom, suppliedUntil }) =>
      groups.periods === 0 || [...suppliedFrom, ...suppliedUntil].some(isText),
  },
  'BR-CO-20': {
    says: 'has a beginning or an end of each line\u2019s period',
    holds: ({ lines }) => lines.every(({ period, from, until }) => period === null || isText(from) || isText(until)),
  },
  'BR-CO-25': {
    says: 'says until when, where something is to pay',
    holds: (invoice) => !(totalsOf(invoice).payable > 0) || invoice.due.length > 0,
  },
  'BR-CO-26': {
    says: 'has an id of the seller',
    holds: ({ sellerVatIds, sellerLegalIds }) => sellerVatIds.length + sellerLegalIds.length > 0,
  },
}

/** Codes from external lists of the standard. Some lists contain only the codes that we write (see `codes`). */
const ofCodes: Record<string, Rule> = {
  'BR-CL-01': { says: 'has a type of UNTDID 1001', holds: ({ type }) => type.every((each) => codes.types.has(each)) },
  'BR-CL-03': {
    says: 'has amounts in a currency of ISO 4217',
    holds: ({ amountCurrencies }) => amountCurrencies.every((each) => codes.currencies.has(each)),
  },
  'BR-CL-04': {
    says: 'has a currency of ISO 4217',
    holds: ({ currency }) => currency.every((each) => codes.currencies.has(each)),
  },
  'BR-CL-05': {
    says: 'states its VAT in a currency of ISO 4217',
    holds: ({ taxCurrency }) => taxCurrency.every((each) => codes.currencies.has(each)),
  },
  'BR-CL-14': {
    says: 'has countries of ISO 3166-1',
    holds: ({ sellerCountry, buyerCountry }) =>
      [...sellerCountry, ...buyerCountry].every((each) => codes.countries.has(each)),
  },
  'BR-CL-16': {
    says: 'is paid by a means of UNTDID 4461',
    holds: ({ paymentMeans }) => paymentMeans.every((each) => codes.paymentMeans.has(each)),
  },
  'BR-CL-17': {
    says: 'has categories of UNTDID 5305 in its breakdown',
    holds: ({ taxes }) => taxes.every(({ category }) => category === null || codes.categories.has(category)),
  },
  'BR-CL-18': {
    says: 'has categories of UNTDID 5305 in its lines',
    holds: ({ lines }) => lines.every(({ category }) => category === null || codes.categories.has(category)),
  },
  'BR-CL-22': {
    says: 'has reasons of the list VATEX',
    holds: ({ taxes }) => taxes.every(({ reasonCode }) => reasonCode === null || codes.reasons.has(reasonCode)),
  },
  'BR-CL-23': {
    says: 'has units of UNECE recommendation 20',
    holds: ({ lines }) =>
      lines.every(({ unit, baseUnit }) => [unit, baseUnit].every((each) => each === null || codes.units.has(each))),
  },
}

const hasTwoDecimals = (text: string | null | undefined) => text == null || /^-?\d+(\.\d{1,2})?$/.test(text)
const atMostTwo = (texts: (invoice: ReadInvoice) => readonly (string | null)[]): Rule['holds'] => {
  return (invoice) => texts(invoice).every(hasTwoDecimals)
}

const ofDecimals: Record<string, Rule> = {
  'BR-DEC-09': { says: 'the sum of lines: two decimals', holds: atMostTwo(({ lineSum }) => lineSum) },
  'BR-DEC-12': { says: 'the total without VAT: two decimals', holds: atMostTwo(({ withoutTax }) => withoutTax) },
  'BR-DEC-13': {
    says: 'the VAT: two decimals',
    holds: atMostTwo((invoice) => taxTotalIn(invoice, invoice.currency[0])),
  },
  'BR-DEC-14': { says: 'the total with VAT: two decimals', holds: atMostTwo(({ withTax }) => withTax) },
  'BR-DEC-15': {
    says: 'the VAT in its other currency: two decimals',
    holds: atMostTwo((invoice) => invoice.taxCurrency.flatMap((each) => taxTotalIn(invoice, each))),
  },
  'BR-DEC-16': { says: 'what is paid: two decimals', holds: atMostTwo(({ prepaid }) => prepaid) },
  'BR-DEC-18': { says: 'what is to pay: two decimals', holds: atMostTwo(({ payable }) => payable) },
  'BR-DEC-19': {
    says: 'what each rate is taken of: two decimals',
    holds: atMostTwo(({ taxes }) => taxes.map(({ taxable }) => taxable)),
  },
  'BR-DEC-20': {
    says: 'the VAT of each rate: two decimals',
    holds: atMostTwo(({ taxes }) => taxes.map(({ tax }) => tax)),
  },
  'BR-DEC-23': {
    says: 'the amount of each line: two decimals',
    holds: atMostTwo(({ lines }) => lines.map(({ net }) => net)),
  },
}

const isDay = (text: string | null) => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`)
}

/** Rules that the standard states only in words, or that the types of its XML syntaxes enforce. */
const ofOurs: Record<string, Rule> = {
  'the net of a line is its quantity times its price': {
    says: 'has as the amount of a line the price for that quantity (EN 16931-1, BT-131)',
    holds: ({ lines }) =>
      lines.every(({ price, quantity, base, net }) => {
        return cents(String((Number(price) * Number(quantity)) / Number(base ?? '1'))) === cents(net)
      }),
  },
  'the day of the supply is stated': {
    says: 'has the day of the supply (BT-72; Directive 2006/112/EC, art. 226 (7))',
    holds: ({ suppliedOn }) => isOne(suppliedOn),
  },
  'each date is a calendar date': {
    says: 'writes days as its syntax does',
    holds: ({ issuedOn, creditedOn, suppliedOn, suppliedFrom, suppliedUntil, lines }) =>
      [
        ...[...issuedOn, ...creditedOn, ...suppliedOn, ...suppliedFrom, ...suppliedUntil],
        ...lines.flatMap(({ from, until }) => [from, until]).filter((each) => each !== null),
      ].every(isDay),
  },
}

/** `docs/en16931.md` lists these rules, and says why the other rules of the standard cannot apply. */
export const rules: Readonly<Record<string, Rule>> = {
  ...ofContent,
  ...ofSums,
  ...ofCategories,
  ...ofCodes,
  ...ofDecimals,
  ...ofOurs,
}
