import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokenRules, type Syntax } from '../../../testing/en16931.ts'
import { rules } from '../../../testing/en16931-rules.ts'
import { invoiceOf, outsideScope, reverseCharge, sold, vat } from '../examples.ts'
import type { EInvoice } from '../rules/e-invoice.ts'
import { ciiOf } from './cii.ts'
import { ublOf } from './ubl.ts'

/** These tests violate each applicable rule once in both syntaxes, to prove that every check can fail. */

const two = [
  { unitPrice: 3333n, quantity: 3 },
  { unitPrice: 999n, quantity: 1 },
]
const german = { taxId: 'DE136695976', companyName: 'Beispiel GmbH' }
const credits = { number: 'INV-2026-000001', issuedAt: new Date('2026-11-19T10:00:00Z') }

function made(invoice: EInvoice | null): EInvoice {
  if (!invoice) throw new Error('there is no invoice')
  const service = { from: '2026-11-20', until: '2026-12-19' }
  return { ...invoice, suppliedIn: service, lines: invoice.lines.map((line) => ({ ...line, period: service })) }
}

const whole = {
  standard: made(invoiceOf(sold(two, [vat('19')]))),
  zero: made(invoiceOf(sold(two, [vat('0')]))),
  reversed: made(invoiceOf(sold(two, [reverseCharge], { buyer: german }))),
  outside: made(invoiceOf(sold(two, [outsideScope], { buyer: { country: 'US' } }))),
  credited: made(invoiceOf(sold(two, [vat('19')]), { credits })),
  stated: { ...made(invoiceOf(sold(two, [vat('25')]))), taxStated: { currency: 'SEK', amount: '11.20' } },
} satisfies Record<string, EInvoice>

type Edit = (xml: string, syntax: Syntax) => string
interface Planted {
  readonly in: keyof typeof whole
  readonly edit?: Edit
  readonly change?: (invoice: EInvoice) => object
}

const change = (of: Planted['in'], to: Planted['change'] & object): Planted => ({ in: of, change: to })
const edit = (of: Planted['in'], to: Edit): Planted => ({ in: of, edit: to })

type ElementPath = readonly [parent: string, child: string]
const found = ([parent, child]: ElementPath) =>
  new RegExp(`(<${parent}(?:\\s[^>]*)?>(?:(?!</${parent}>)[\\s\\S])*?)<${child}((?:\\s[^>]*)?)>[\\s\\S]*?</${child}>`)
const drop = (cii: ElementPath, ubl: ElementPath, of: Planted['in'] = 'standard') =>
  edit(of, (xml, syntax) => xml.replace(found(syntax === 'cii' ? cii : ubl), '$1'))
const write = (text: string, cii: ElementPath, ubl: ElementPath, of: Planted['in'] = 'standard') =>
  edit(of, (xml, syntax) => {
    const place = syntax === 'cii' ? cii : ubl
    return xml.replace(found(place), `$1<${place[1]}$2>${text}</${place[1]}>`)
  })

const [ciiSums, ublSums] = ['ram:SpecifiedTradeSettlementHeaderMonetarySummation', 'cac:LegalMonetaryTotal']
const [ciiRow, ciiLine] = ['ram:ApplicableHeaderTradeSettlement', 'ram:SpecifiedLineTradeSettlement']
const [sellerOfCii, sellerOfUbl] = ['ram:SellerTradeParty', 'cac:AccountingSupplierParty']
const [buyerOfCii, buyerOfUbl] = ['ram:BuyerTradeParty', 'cac:AccountingCustomerParty']
const price = 'ram:NetPriceProductTradePrice'
const onFirst = (to: object) => (invoice: EInvoice) => ({
  lines: invoice.lines.map((line, at) => (at === 0 ? { ...line, ...to } : line)),
})
const onRow = (to: object) => (invoice: EInvoice) => ({ taxes: invoice.taxes.map((row) => ({ ...row, ...to })) })
const without =
  (...parties: ('seller' | 'buyer')[]) =>
  (invoice: EInvoice) =>
    Object.fromEntries(parties.map((each) => [each, { ...invoice[each], vatId: null, legalId: null }]))
const exemption = { code: 'VATEX-EU-AE', reason: 'Reverse charge' }

const periodOf = (syntax: Syntax) =>
  syntax === 'cii'
    ? /(<ram:ApplicableHeaderTradeSettlement>[\s\S]*?)<(ram:BillingSpecifiedPeriod)>[\s\S]*?<\/\2>/
    : /(<cbc:DocumentCurrencyCode>[\s\S]*?)<(cac:InvoicePeriod)>[\s\S]*?<\/\2>/

const ofContent: Record<string, Planted> = {
  'BR-01': drop(['ram:GuidelineSpecifiedDocumentContextParameter', 'ram:ID'], ['Invoice', 'cbc:CustomizationID']),
  'BR-02': drop(['rsm:ExchangedDocument', 'ram:ID'], ['Invoice', 'cbc:ID']),
  'BR-03': drop(['rsm:ExchangedDocument', 'ram:IssueDateTime'], ['Invoice', 'cbc:IssueDate']),
  'BR-04': drop(['rsm:ExchangedDocument', 'ram:TypeCode'], ['Invoice', 'cbc:InvoiceTypeCode']),
  'BR-05': drop([ciiRow, 'ram:InvoiceCurrencyCode'], ['Invoice', 'cbc:DocumentCurrencyCode']),
  'BR-06': drop([sellerOfCii, 'ram:Name'], [sellerOfUbl, 'cbc:RegistrationName']),
  'BR-07': drop([buyerOfCii, 'ram:Name'], [buyerOfUbl, 'cbc:RegistrationName']),
  'BR-08': drop([sellerOfCii, 'ram:PostalTradeAddress'], [sellerOfUbl, 'cac:PostalAddress']),
  'BR-09': drop([sellerOfCii, 'ram:CountryID'], [sellerOfUbl, 'cbc:IdentificationCode']),
  'BR-10': drop([buyerOfCii, 'ram:PostalTradeAddress'], [buyerOfUbl, 'cac:PostalAddress']),
  'BR-11': drop([buyerOfCii, 'ram:CountryID'], [buyerOfUbl, 'cbc:IdentificationCode']),
  'BR-12': drop([ciiSums, 'ram:LineTotalAmount'], [ublSums, 'cbc:LineExtensionAmount']),
  'BR-13': drop([ciiSums, 'ram:TaxBasisTotalAmount'], [ublSums, 'cbc:TaxExclusiveAmount']),
  'BR-14': drop([ciiSums, 'ram:GrandTotalAmount'], [ublSums, 'cbc:TaxInclusiveAmount']),
  'BR-15': drop([ciiSums, 'ram:DuePayableAmount'], [ublSums, 'cbc:PayableAmount']),
  'BR-16': change('standard', () => ({ lines: [] })),
  'BR-21': drop(['ram:AssociatedDocumentLineDocument', 'ram:LineID'], ['cac:InvoiceLine', 'cbc:ID']),
  'BR-22': drop(['ram:SpecifiedLineTradeDelivery', 'ram:BilledQuantity'], ['cac:InvoiceLine', 'cbc:InvoicedQuantity']),
  'BR-23': edit('standard', (xml) => xml.replace(/(BilledQuantity|InvoicedQuantity) unitCode="C62"/, '$1')),
  'BR-24': drop([ciiLine, 'ram:LineTotalAmount'], ['cac:InvoiceLine', 'cbc:LineExtensionAmount']),
  'BR-25': drop(['ram:SpecifiedTradeProduct', 'ram:Name'], ['cac:Item', 'cbc:Name']),
  'BR-26': drop([price, 'ram:ChargeAmount'], ['cac:Price', 'cbc:PriceAmount']),
  'BR-27': change('standard', onFirst({ price: '-33.33', quantity: -3 })),
  'BR-30': change('standard', onFirst({ period: { from: '2026-11-20', until: '2026-11-19' } })),
  'BR-29': change('standard', () => ({ suppliedIn: { from: '2026-12-20', until: '2026-12-19' } })),
  'BR-45': drop([ciiRow, 'ram:BasisAmount'], ['cac:TaxSubtotal', 'cbc:TaxableAmount']),
  'BR-46': drop([ciiRow, 'ram:CalculatedAmount'], ['cac:TaxSubtotal', 'cbc:TaxAmount']),
  'BR-47': drop([ciiRow, 'ram:CategoryCode'], ['cac:TaxCategory', 'cbc:ID']),
  'BR-48': change('standard', onRow({ percentage: null })),
  'BR-49': drop(
    ['ram:SpecifiedTradeSettlementPaymentMeans', 'ram:TypeCode'],
    [...(['cac:PaymentMeans', 'cbc:PaymentMeansCode'] as const)],
  ),
  'BR-53': edit('stated', (xml) => xml.replace(/<(ram:TaxTotalAmount|cbc:TaxAmount) currencyID="SEK">[^<]*<\/\1>/, '')),
  'BR-55': drop(
    ['ram:InvoiceReferencedDocument', 'ram:IssuerAssignedID'],
    ['cac:InvoiceDocumentReference', 'cbc:ID'],
    'credited',
  ),
  'BR-61': change('standard', () => ({ paymentMeans: '30' })),
}

const ofSums: Record<string, Planted> = {
  'BR-CO-04': drop([ciiLine, 'ram:CategoryCode'], ['cac:ClassifiedTaxCategory', 'cbc:ID']),
  'BR-CO-09': change('standard', ({ seller }) => ({ seller: { ...seller, vatId: '001234567B01' } })),
  'BR-CO-10': change('standard', onFirst({ subtotal: '1.00' })),
  'BR-CO-13': write('1.00', [ciiSums, 'ram:TaxBasisTotalAmount'], [ublSums, 'cbc:TaxExclusiveAmount']),
  'BR-CO-14': change('standard', () => ({ tax: '1.00' })),
  'BR-CO-15': change('standard', () => ({ total: '1.00' })),
  'BR-CO-16': write('5.00', [ciiSums, 'ram:DuePayableAmount'], [ublSums, 'cbc:PayableAmount']),
  'BR-CO-17': change('standard', onRow({ amount: '20.92' })),
  'BR-CO-18': change('standard', () => ({ taxes: [] })),
  'BR-CO-19': edit('standard', (xml, syntax) => xml.replace(periodOf(syntax), '$1<$2></$2>')),
  'BR-CO-20': edit('standard', (xml) =>
    xml.replaceAll(/<(ram:BillingSpecifiedPeriod|cac:InvoicePeriod)>[\s\S]*?<\/\1>/g, '<$1></$1>'),
  ),
  'BR-CO-25': write('5.00', [ciiSums, 'ram:DuePayableAmount'], [ublSums, 'cbc:PayableAmount']),
  'BR-CO-26': change('standard', without('seller')),
}

const twice = ({ taxes }: EInvoice) => ({ taxes: [...taxes, ...taxes] })
const ofCategories: Record<string, Planted> = {
  'BR-S-01': change('standard', onRow({ category: 'Z', percentage: '0' })),
  'BR-S-02': change('standard', without('seller')),
  'BR-S-05': change('standard', (invoice) => onFirst({ tax: { ...invoice.lines[0]?.tax, percentage: '0' } })(invoice)),
  'BR-S-08': change('standard', onRow({ taxable: '1.00' })),
  'BR-S-09': change('standard', onRow({ amount: '20.92' })),
  'BR-S-10': change('standard', onRow({ exemption })),
  'BR-Z-01': change('zero', twice),
  'BR-Z-02': change('zero', without('seller')),
  'BR-Z-05': change('zero', (invoice) => onFirst({ tax: { ...invoice.lines[0]?.tax, percentage: '5' } })(invoice)),
  'BR-Z-08': change('zero', onRow({ taxable: '1.00' })),
  'BR-Z-09': change('zero', onRow({ amount: '1.00' })),
  'BR-Z-10': change('zero', onRow({ exemption })),
  'BR-AE-01': change('reversed', twice),
  'BR-AE-02': change('reversed', without('buyer')),
  'BR-AE-05': change('reversed', (invoice) => onFirst({ tax: { ...invoice.lines[0]?.tax, percentage: '5' } })(invoice)),
  'BR-AE-08': change('reversed', onRow({ taxable: '1.00' })),
  'BR-AE-09': change('reversed', onRow({ amount: '1.00' })),
  'BR-AE-10': change('reversed', onRow({ exemption: null })),
  'BR-O-01': change('outside', twice),
  'BR-O-02': change('outside', ({ buyer }) => ({ buyer: { ...buyer, vatId: 'DE136695976' } })),
  'BR-O-05': change('outside', (invoice) => onFirst({ tax: { ...invoice.lines[0]?.tax, percentage: '0' } })(invoice)),
  'BR-O-08': change('outside', onRow({ taxable: '1.00' })),
  'BR-O-09': change('outside', onRow({ amount: '1.00' })),
  'BR-O-10': change('outside', onRow({ exemption: null })),
  'BR-O-11': change('outside', ({ taxes }) => ({ taxes: [...taxes, ...whole.zero.taxes] })),
  'BR-O-12': change('outside', onFirst({ tax: { category: 'Z', percentage: '0', exemption: null } })),
}

const ofCodes: Record<string, Planted> = {
  'BR-CL-01': write('999', ['rsm:ExchangedDocument', 'ram:TypeCode'], ['Invoice', 'cbc:InvoiceTypeCode']),
  'BR-CL-03': edit('standard', (xml) => xml.replaceAll('currencyID="EUR"', 'currencyID="euro"')),
  'BR-CL-04': change('standard', () => ({ currency: 'XXE' })),
  'BR-CL-05': change('stated', () => ({ taxStated: { currency: 'KRS', amount: '1.00' } })),
  'BR-CL-14': change('standard', ({ seller }) => ({ seller: { ...seller, country: 'UK' } })),
  'BR-CL-16': change('standard', () => ({ paymentMeans: '99' })),
  'BR-CL-17': write('X', [ciiRow, 'ram:CategoryCode'], ['cac:TaxCategory', 'cbc:ID']),
  'BR-CL-18': write('X', [ciiLine, 'ram:CategoryCode'], ['cac:ClassifiedTaxCategory', 'cbc:ID']),
  'BR-CL-22': change('reversed', onRow({ exemption: { code: 'REVERSED', reason: 'Reverse charge' } })),
  'BR-CL-23': edit('standard', (xml) => xml.replaceAll('unitCode="C62"', 'unitCode="piece"')),
}

const third = '1.001'
const ofDecimals: Record<string, Planted> = {
  'BR-DEC-09': write(third, [ciiSums, 'ram:LineTotalAmount'], [ublSums, 'cbc:LineExtensionAmount']),
  'BR-DEC-12': write(third, [ciiSums, 'ram:TaxBasisTotalAmount'], [ublSums, 'cbc:TaxExclusiveAmount']),
  'BR-DEC-13': write(third, [ciiSums, 'ram:TaxTotalAmount'], ['cac:TaxTotal', 'cbc:TaxAmount']),
  'BR-DEC-14': write(third, [ciiSums, 'ram:GrandTotalAmount'], [ublSums, 'cbc:TaxInclusiveAmount']),
  'BR-DEC-15': change('stated', () => ({ taxStated: { currency: 'SEK', amount: third } })),
  'BR-DEC-16': write(third, [ciiSums, 'ram:TotalPrepaidAmount'], [ublSums, 'cbc:PrepaidAmount']),
  'BR-DEC-18': write(third, [ciiSums, 'ram:DuePayableAmount'], [ublSums, 'cbc:PayableAmount']),
  'BR-DEC-19': change('standard', onRow({ taxable: third })),
  'BR-DEC-20': change('standard', onRow({ amount: third })),
  'BR-DEC-23': change('standard', onFirst({ subtotal: third })),
}

const planted: Record<string, Planted> = {
  ...ofContent,
  ...ofSums,
  ...ofCategories,
  ...ofCodes,
  ...ofDecimals,
  'the net of a line is its quantity times its price': change('standard', onFirst({ price: '33.34' })),
  'the day of the supply is stated': drop(
    ['ram:ApplicableHeaderTradeDelivery', 'ram:ActualDeliverySupplyChainEvent'],
    ['Invoice', 'cac:Delivery'],
  ),
  'each date is a calendar date': change('standard', () => ({ issuedOn: '2026-02-30' })),
}

const writers = { cii: ciiOf, ubl: ublOf } as const
const syntaxes = ['cii', 'ubl'] as const

describe('coverage', () => {
  it('the example invoices meet every checked rule of EN 16931', () => {
    for (const syntax of syntaxes)
      for (const [name, invoice] of Object.entries(whole))
        expect(brokenRules(writers[syntax](invoice), syntax), `${name} as ${syntax}`).toEqual([])
  })

  it('each checked rule of EN 16931 has a violation fixture', () => {
    expect(Object.keys(planted).sort()).toEqual(Object.keys(rules).sort())
  })

  it.each(Object.keys(rules))('the checks report an invoice that violates %s in CII and in UBL', (id) => {
    const { in: of, edit, change } = planted[id] as Planted
    const invoice = { ...whole[of], ...change?.(whole[of]) } as EInvoice
    for (const syntax of syntaxes) {
      const xml = writers[syntax](invoice)
      const broken = edit ? edit(xml, syntax) : xml
      expect(broken, syntax).not.toBe(writers[syntax](whole[of]))
      expect(brokenRules(broken, syntax), syntax).toContain(id)
    }
  })

  it('docs/en16931.md lists each rule of EN 16931 as checked or as inapplicable with a reason', () => {
    const [held = '', others = ''] = readFileSync('docs/en16931.md', 'utf8').split('## Rules that cannot apply')
    expect(idsIn(held)).toEqual(
      Object.keys(rules)
        .filter((id) => id.startsWith('BR-'))
        .sort(),
    )
    expect([...idsIn(held), ...idsIn(others)].sort()).toEqual(standard.sort())
  })
})

/** The names of the rules in CEN's validation artifacts 1.3, including the rules for code lists and decimals. */
const standard = [
  ...[...numbered('BR', 1, 33), ...numbered('BR', 36, 38), ...numbered('BR', 41, 57), ...numbered('BR', 61, 65)],
  ...numbered('BR-CO', 3, 27),
  ...['S', 'Z', 'E', 'AE', 'IC', 'G', 'AF', 'AG'].flatMap((category) => numbered(`BR-${category}`, 1, 10)),
  ...[...numbered('BR-IC', 11, 12), ...numbered('BR-O', 1, 14), ...numbered('BR-B', 1, 2)],
  ...['BR-CL-01', ...numbered('BR-CL', 3, 8), ...numbered('BR-CL', 10, 11), ...numbered('BR-CL', 13, 26)],
  ...[...numbered('BR-DEC', 1, 2), ...numbered('BR-DEC', 5, 6), ...numbered('BR-DEC', 9, 20)],
  ...[...numbered('BR-DEC', 23, 25), ...numbered('BR-DEC', 27, 28)],
]

function numbered(prefix: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${prefix}-${String(first + at).padStart(2, '0')}`)
}

function idsIn(text: string): string[] {
  const ids = text.matchAll(/(BR(?:-[A-Z]+)?)-(\d\d)(?: to BR(?:-[A-Z]+)?-(\d\d))?/g)
  return [...ids].flatMap(([, prefix = '', from, to = from]) => numbered(prefix, Number(from), Number(to))).sort()
}
