import { XmlDocument } from 'libxml2-wasm'

/**
 * The rules of EN 16931 that concern what we write, by their names in the standard, for tests. They are read from the XML
 * alone, in either syntax, and know nothing of the code that made it.
 */

const udt = 'urn:un:unece:uncefact:data:standard:'
const oasis = 'urn:oasis:names:specification:ubl:schema:xsd:'
const names = {
  ram: `${udt}ReusableAggregateBusinessInformationEntity:100`,
  rsm: `${udt}CrossIndustryInvoice:100`,
  cac: `${oasis}CommonAggregateComponents-2`,
  cbc: `${oasis}CommonBasicComponents-2`,
}

const settlement = '//ram:ApplicableHeaderTradeSettlement'
const ciiSums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
const ciiTaxes = `${settlement}/ram:ApplicableTradeTax`
const ciiLine = '//ram:IncludedSupplyChainTradeLineItem'
const ciiPrice = `${ciiLine}//ram:NetPriceProductTradePrice`
const ublTaxes = '/*/cac:TaxTotal/cac:TaxSubtotal'
const ublLine = '(//cac:InvoiceLine|//cac:CreditNoteLine)'
const ublSums = '/*/cac:LegalMonetaryTotal'
const ofVat = "[cac:TaxScheme/cbc:ID='VAT']/cbc:CompanyID"

/** Where the two syntaxes have the business terms of the standard. */
const paths = {
  cii: {
    number: '//rsm:ExchangedDocument/ram:ID',
    type: '//rsm:ExchangedDocument/ram:TypeCode',
    credited: '//ram:InvoiceReferencedDocument/ram:IssuerAssignedID',
    sellerName: '//ram:SellerTradeParty/ram:Name',
    buyerName: '//ram:BuyerTradeParty/ram:Name',
    sellerCountry: '//ram:SellerTradeParty//ram:CountryID',
    buyerCountry: '//ram:BuyerTradeParty//ram:CountryID',
    sellerVatIds: "//ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']",
    buyerVatIds: "//ram:BuyerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']",
    sellerLegalIds: '//ram:SellerTradeParty/ram:SpecifiedLegalOrganization/ram:ID',
    currency: `${settlement}/ram:InvoiceCurrencyCode`,
    taxCurrency: `${settlement}/ram:TaxCurrencyCode`,
    taxTotals: `${ciiSums}/ram:TaxTotalAmount`,
    taxTotalCurrencies: `${ciiSums}/ram:TaxTotalAmount/@currencyID`,
    lineSum: `${ciiSums}/ram:LineTotalAmount`,
    withoutTax: `${ciiSums}/ram:TaxBasisTotalAmount`,
    withTax: `${ciiSums}/ram:GrandTotalAmount`,
    prepaid: `${ciiSums}/ram:TotalPrepaidAmount`,
    payable: `${ciiSums}/ram:DuePayableAmount`,
    categories: `${ciiTaxes}/ram:CategoryCode`,
    taxable: `${ciiTaxes}/ram:BasisAmount`,
    taxes: `${ciiTaxes}/ram:CalculatedAmount`,
    rates: `${ciiTaxes}/ram:RateApplicablePercent`,
    reasonCodes: `${ciiTaxes}/ram:ExemptionReasonCode`,
    lines: `${ciiLine}//ram:LineTotalAmount`,
    lineNames: `${ciiLine}//ram:SpecifiedTradeProduct/ram:Name`,
    lineCategories: `${ciiLine}//ram:ApplicableTradeTax/ram:CategoryCode`,
    lineRates: `${ciiLine}//ram:RateApplicablePercent`,
    quantities: `${ciiLine}//ram:BilledQuantity`,
    prices: `${ciiPrice}/ram:ChargeAmount`,
    bases: `${ciiPrice}/ram:BasisQuantity`,
  },
  ubl: {
    number: '/*/cbc:ID',
    type: '/*/cbc:InvoiceTypeCode|/*/cbc:CreditNoteTypeCode',
    credited: '/*/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID',
    sellerName: '/*/cac:AccountingSupplierParty//cac:PartyLegalEntity/cbc:RegistrationName',
    buyerName: '/*/cac:AccountingCustomerParty//cac:PartyLegalEntity/cbc:RegistrationName',
    sellerCountry: '/*/cac:AccountingSupplierParty//cac:Country/cbc:IdentificationCode',
    buyerCountry: '/*/cac:AccountingCustomerParty//cac:Country/cbc:IdentificationCode',
    sellerVatIds: `/*/cac:AccountingSupplierParty//cac:PartyTaxScheme${ofVat}`,
    buyerVatIds: `/*/cac:AccountingCustomerParty//cac:PartyTaxScheme${ofVat}`,
    sellerLegalIds: '/*/cac:AccountingSupplierParty//cac:PartyLegalEntity/cbc:CompanyID',
    currency: '/*/cbc:DocumentCurrencyCode',
    taxCurrency: '/*/cbc:TaxCurrencyCode',
    taxTotals: '/*/cac:TaxTotal/cbc:TaxAmount',
    taxTotalCurrencies: '/*/cac:TaxTotal/cbc:TaxAmount/@currencyID',
    lineSum: `${ublSums}/cbc:LineExtensionAmount`,
    withoutTax: `${ublSums}/cbc:TaxExclusiveAmount`,
    withTax: `${ublSums}/cbc:TaxInclusiveAmount`,
    prepaid: `${ublSums}/cbc:PrepaidAmount`,
    payable: `${ublSums}/cbc:PayableAmount`,
    categories: `${ublTaxes}/cac:TaxCategory/cbc:ID`,
    taxable: `${ublTaxes}/cbc:TaxableAmount`,
    taxes: `${ublTaxes}/cbc:TaxAmount`,
    rates: `${ublTaxes}/cac:TaxCategory/cbc:Percent`,
    reasonCodes: `${ublTaxes}/cac:TaxCategory/cbc:TaxExemptionReasonCode`,
    lines: `${ublLine}/cbc:LineExtensionAmount`,
    lineNames: `${ublLine}/cac:Item/cbc:Name`,
    lineCategories: `${ublLine}/cac:Item/cac:ClassifiedTaxCategory/cbc:ID`,
    lineRates: `${ublLine}/cac:Item/cac:ClassifiedTaxCategory/cbc:Percent`,
    quantities: `${ublLine}/cbc:InvoicedQuantity|${ublLine}/cbc:CreditedQuantity`,
    prices: `${ublLine}/cac:Price/cbc:PriceAmount`,
    bases: `${ublLine}/cac:Price/cbc:BaseQuantity`,
  },
} as const

export type Syntax = keyof typeof paths
type Term = keyof (typeof paths)['cii']

/** An invoice as a program reads it: the texts of each business term, in their order. */
export function readInvoice(xml: string, syntax: Syntax): Record<Term, string[]> {
  const document = XmlDocument.fromString(xml)
  const texts = (path: string) => document.find(path, names).map((node) => (node as { content: string }).content)
  const terms = Object.entries(paths[syntax]).map(([term, path]) => [term, texts(path)])
  document.dispose()
  return Object.fromEntries(terms)
}

const cents = (value: number) => Math.round(value * 100)

/** The names of the rules that an invoice breaks. */
export function brokenRules(xml: string, syntax: Syntax): string[] {
  const read = readInvoice(xml, syntax)
  const numbers = (term: Term) => read[term].map(Number)
  const one = (term: Term) => cents(numbers(term)[0] ?? Number.NaN)
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + cents(value), 0)
  const { categories, lineCategories } = read
  const [lines, prices, quantities, bases] = [
    ...[numbers('lines'), numbers('prices'), numbers('quantities'), numbers('bases')],
  ] as [number[], number[], number[], number[]]
  const [taxable, taxes] = [numbers('taxable'), numbers('taxes')]
  const [currency, taxCurrency] = [read.currency[0] ?? '', read.taxCurrency[0]]
  const totalIn = (asked: string) => numbers('taxTotals').filter((_, at) => read.taxTotalCurrencies[at] === asked)
  const tax = cents(totalIn(currency)[0] ?? Number.NaN)
  const rules: Record<string, boolean> = {
    'BR-02': read.number[0] !== '',
    'BR-06': read.sellerName[0] !== '',
    'BR-07': read.buyerName[0] !== '',
    'BR-09': read.sellerCountry.length === 1,
    'BR-11': read.buyerCountry.length === 1,
    'BR-16': lines.length > 0,
    'BR-25': read.lineNames.length === lines.length && read.lineNames.every((name) => name !== ''),
    'BR-27': prices.length === lines.length && prices.every((price) => price >= 0),
    'BR-45': taxable.length > 0,
    'BR-53': taxCurrency === undefined || totalIn(taxCurrency).length === 1,
    'BR-CO-10': sumOf(lines) === one('lineSum'),
    'BR-CO-13': one('lineSum') === one('withoutTax'),
    'BR-CO-14': sumOf(taxes) === tax,
    'BR-CO-15': one('withoutTax') + tax === one('withTax'),
    'BR-CO-16': one('withTax') - one('prepaid') === one('payable'),
    // Where tax is taken out of a price, net and tax are rounded once each: the rule's own test allows for it.
    'BR-CO-17': numbers('rates').every(
      (rate, index) => Math.abs(cents((taxable[index] ?? 0) * (rate / 100)) - cents(taxes[index] ?? 0)) <= 1,
    ),
    'BR-CO-18': categories.length > 0,
    'BR-CO-26': read.sellerVatIds.length + read.sellerLegalIds.length > 0,
    'BR-S-02': !lineCategories.includes('S') || read.sellerVatIds.length === 1,
    'BR-S-08': sumOf(taxable) === sumOf(lines),
    'BR-AE-02': !lineCategories.includes('AE') || (read.sellerVatIds.length === 1 && read.buyerVatIds.length === 1),
    'BR-AE-10': !categories.includes('AE') || read.reasonCodes[0] === 'VATEX-EU-AE',
    'BR-O-02': !lineCategories.includes('O') || read.sellerVatIds.length + read.buyerVatIds.length === 0,
    'BR-O-05': !lineCategories.includes('O') || read.lineRates.length === 0,
    'BR-O-11': !categories.includes('O') || (categories.length === 1 && lineCategories.every((each) => each === 'O')),
    'a line is its quantity of the price': lines.every(
      (amount, index) =>
        cents(((prices[index] ?? 0) * (quantities[index] ?? 0)) / (bases[index] ?? 1)) === cents(amount),
    ),
  }
  return Object.keys(rules).filter((rule) => !rules[rule])
}
