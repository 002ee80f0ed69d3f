import { XmlDocument, type XmlElement } from 'libxml2-wasm'
import { rules } from './en16931-rules.ts'

/**
 * This file reads an invoice in either syntax of EN 16931 from its XML alone, without the code that wrote the invoice.
 */

const uncefact = 'urn:un:unece:uncefact:data:standard:'
const oasis = 'urn:oasis:names:specification:ubl:schema:xsd:'
const names = {
  ram: `${uncefact}ReusableAggregateBusinessInformationEntity:100`,
  rsm: `${uncefact}CrossIndustryInvoice:100`,
  udt: `${uncefact}UnqualifiedDataType:100`,
  qdt: `${uncefact}QualifiedDataType:100`,
  cac: `${oasis}CommonAggregateComponents-2`,
  cbc: `${oasis}CommonBasicComponents-2`,
}

const settlement = '//ram:ApplicableHeaderTradeSettlement'
const ciiSums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
const ciiMeans = `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans`
const ciiTerms = `${settlement}/ram:SpecifiedTradePaymentTerms`
const ofLine = 'ram:SpecifiedLineTradeSettlement'
const ofPrice = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice'
const seller = '//ram:SellerTradeParty'
const buyer = '//ram:BuyerTradeParty'
const supplier = '/*/cac:AccountingSupplierParty/cac:Party'
const customer = '/*/cac:AccountingCustomerParty/cac:Party'
const ofVat = "cac:PartyTaxScheme[cac:TaxScheme/cbc:ID='VAT']/cbc:CompanyID"
const ublSums = '/*/cac:LegalMonetaryTotal'

const header = {
  cii: {
    specification: '//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
    number: '//rsm:ExchangedDocument/ram:ID',
    type: '//rsm:ExchangedDocument/ram:TypeCode',
    issuedOn: '//rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString',
    credited: '//ram:InvoiceReferencedDocument/ram:IssuerAssignedID',
    creditedOn: '//ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString',
    suppliedOn: '//ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString',
    suppliedFrom: `${settlement}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString`,
    suppliedUntil: `${settlement}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString`,
    due: `${ciiTerms}/ram:DueDateDateTime/udt:DateTimeString|${ciiTerms}/ram:Description`,
    paymentMeans: `${ciiMeans}/ram:TypeCode`,
    accounts: `${ciiMeans}/ram:PayeePartyCreditorFinancialAccount/ram:IBANID`,
    sellerName: `${seller}/ram:Name`,
    buyerName: `${buyer}/ram:Name`,
    sellerCountry: `${seller}/ram:PostalTradeAddress/ram:CountryID`,
    buyerCountry: `${buyer}/ram:PostalTradeAddress/ram:CountryID`,
    sellerVatIds: `${seller}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']`,
    buyerVatIds: `${buyer}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']`,
    sellerLegalIds: `${seller}/ram:SpecifiedLegalOrganization/ram:ID`,
    buyerLegalIds: `${buyer}/ram:SpecifiedLegalOrganization/ram:ID`,
    currency: `${settlement}/ram:InvoiceCurrencyCode`,
    taxCurrency: `${settlement}/ram:TaxCurrencyCode`,
    taxTotals: `${ciiSums}/ram:TaxTotalAmount`,
    taxTotalCurrencies: `${ciiSums}/ram:TaxTotalAmount/@currencyID`,
    lineSum: `${ciiSums}/ram:LineTotalAmount`,
    withoutTax: `${ciiSums}/ram:TaxBasisTotalAmount`,
    withTax: `${ciiSums}/ram:GrandTotalAmount`,
    prepaid: `${ciiSums}/ram:TotalPrepaidAmount`,
    payable: `${ciiSums}/ram:DuePayableAmount`,
  },
  ubl: {
    specification: '/*/cbc:CustomizationID',
    number: '/*/cbc:ID',
    type: '/*/cbc:InvoiceTypeCode|/*/cbc:CreditNoteTypeCode',
    issuedOn: '/*/cbc:IssueDate',
    credited: '/*/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID',
    creditedOn: '/*/cac:BillingReference/cac:InvoiceDocumentReference/cbc:IssueDate',
    suppliedOn: '/*/cac:Delivery/cbc:ActualDeliveryDate',
    suppliedFrom: '/*/cac:InvoicePeriod/cbc:StartDate',
    suppliedUntil: '/*/cac:InvoicePeriod/cbc:EndDate',
    due: '/*/cbc:DueDate|/*/cac:PaymentTerms/cbc:Note',
    paymentMeans: '/*/cac:PaymentMeans/cbc:PaymentMeansCode',
    accounts: '/*/cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID',
    sellerName: `${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`,
    buyerName: `${customer}/cac:PartyLegalEntity/cbc:RegistrationName`,
    sellerCountry: `${supplier}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`,
    buyerCountry: `${customer}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`,
    sellerVatIds: `${supplier}/${ofVat}`,
    buyerVatIds: `${customer}/${ofVat}`,
    sellerLegalIds: `${supplier}/cac:PartyLegalEntity/cbc:CompanyID`,
    buyerLegalIds: `${customer}/cac:PartyLegalEntity/cbc:CompanyID`,
    currency: '/*/cbc:DocumentCurrencyCode',
    taxCurrency: '/*/cbc:TaxCurrencyCode',
    taxTotals: '/*/cac:TaxTotal/cbc:TaxAmount',
    taxTotalCurrencies: '/*/cac:TaxTotal/cbc:TaxAmount/@currencyID',
    lineSum: `${ublSums}/cbc:LineExtensionAmount`,
    withoutTax: `${ublSums}/cbc:TaxExclusiveAmount`,
    withTax: `${ublSums}/cbc:TaxInclusiveAmount`,
    prepaid: `${ublSums}/cbc:PrepaidAmount`,
    payable: `${ublSums}/cbc:PayableAmount`,
  },
} as const

const groups = {
  cii: {
    sellerAddresses: `${seller}/ram:PostalTradeAddress`,
    buyerAddresses: `${buyer}/ram:PostalTradeAddress`,
    corrections: '//ram:InvoiceReferencedDocument',
    periods: `${settlement}/ram:BillingSpecifiedPeriod`,
  },
  ubl: {
    sellerAddresses: `${supplier}/cac:PostalAddress`,
    buyerAddresses: `${customer}/cac:PostalAddress`,
    corrections: '/*/cac:BillingReference',
    periods: '/*/cac:InvoicePeriod',
  },
} as const

/** A line (BG-25). `period` is present if the line has a period element, even an empty element. */
const line = {
  cii: {
    number: 'ram:AssociatedDocumentLineDocument/ram:LineID',
    name: 'ram:SpecifiedTradeProduct/ram:Name',
    quantity: 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity',
    unit: 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode',
    price: `${ofPrice}/ram:ChargeAmount`,
    base: `${ofPrice}/ram:BasisQuantity`,
    baseUnit: `${ofPrice}/ram:BasisQuantity/@unitCode`,
    net: `${ofLine}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
    category: `${ofLine}/ram:ApplicableTradeTax/ram:CategoryCode`,
    rate: `${ofLine}/ram:ApplicableTradeTax/ram:RateApplicablePercent`,
    from: `${ofLine}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString`,
    until: `${ofLine}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString`,
    period: `${ofLine}/ram:BillingSpecifiedPeriod`,
  },
  ubl: {
    number: 'cbc:ID',
    name: 'cac:Item/cbc:Name',
    quantity: 'cbc:InvoicedQuantity|cbc:CreditedQuantity',
    unit: 'cbc:InvoicedQuantity/@unitCode|cbc:CreditedQuantity/@unitCode',
    price: 'cac:Price/cbc:PriceAmount',
    base: 'cac:Price/cbc:BaseQuantity',
    baseUnit: 'cac:Price/cbc:BaseQuantity/@unitCode',
    net: 'cbc:LineExtensionAmount',
    category: 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID',
    rate: 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent',
    from: 'cac:InvoicePeriod/cbc:StartDate',
    until: 'cac:InvoicePeriod/cbc:EndDate',
    period: 'cac:InvoicePeriod',
  },
} as const

const breakdown = {
  cii: {
    taxable: 'ram:BasisAmount',
    tax: 'ram:CalculatedAmount',
    category: 'ram:CategoryCode',
    rate: 'ram:RateApplicablePercent',
    reasonCode: 'ram:ExemptionReasonCode',
    reason: 'ram:ExemptionReason',
  },
  ubl: {
    taxable: 'cbc:TaxableAmount',
    tax: 'cbc:TaxAmount',
    category: 'cac:TaxCategory/cbc:ID',
    rate: 'cac:TaxCategory/cbc:Percent',
    reasonCode: 'cac:TaxCategory/cbc:TaxExemptionReasonCode',
    reason: 'cac:TaxCategory/cbc:TaxExemptionReason',
  },
} as const

const rows = {
  cii: { lines: '//ram:IncludedSupplyChainTradeLineItem', taxes: `${settlement}/ram:ApplicableTradeTax` },
  ubl: { lines: '/*/cac:InvoiceLine|/*/cac:CreditNoteLine', taxes: '/*/cac:TaxTotal/cac:TaxSubtotal' },
} as const

export type Syntax = keyof typeof header
type Term = keyof (typeof header)['cii']
type Row<Of extends string> = Readonly<Record<Of, string | null>>

/** The texts of each business term, in document order. Days look like `20261120`. */
export interface ReadInvoice extends Readonly<Record<Term, readonly string[]>> {
  readonly groups: Readonly<Record<keyof (typeof groups)['cii'], number>>
  readonly lines: readonly Row<keyof (typeof line)['cii']>[]
  readonly taxes: readonly Row<keyof (typeof breakdown)['cii']>[]
  readonly amountCurrencies: readonly string[]
}

export function readInvoice(xml: string, syntax: Syntax): ReadInvoice {
  const document = XmlDocument.fromString(xml)
  const mapped = <Paths extends Readonly<Record<string, string>>, Value>(
    paths: Paths,
    read: (path: string) => Value,
  ): Record<keyof Paths, Value> =>
    Object.fromEntries(Object.entries(paths).map(([term, path]) => [term, read(path)])) as Record<keyof Paths, Value>
  const textsIn = (path: string) => document.find(path, names).map((node) => read((node as XmlElement).content, syntax))
  const rowsOf = <Paths extends Readonly<Record<string, string>>>(of: string, paths: Paths) =>
    document.find(of, names).map((node) =>
      mapped(paths, (path) => {
        const [found] = (node as XmlElement).find(path, names)
        return found ? read((found as XmlElement).content, syntax) : null
      }),
    )
  const invoice = {
    ...mapped(header[syntax], textsIn),
    groups: mapped(groups[syntax], (path) => document.find(path, names).length),
    lines: rowsOf(rows[syntax].lines, line[syntax]).map((each) => ({ ...each, period: each.period && 'there' })),
    taxes: rowsOf(rows[syntax].taxes, breakdown[syntax]),
    amountCurrencies: [...new Set(textsIn('//@currencyID'))].sort(),
  }
  document.dispose()
  return invoice
}

const read = (text: string, syntax: Syntax): string =>
  syntax === 'ubl' && /^\d{4}-\d\d-\d\d$/.test(text) ? text.replaceAll('-', '') : text

export function brokenRules(xml: string, syntax: Syntax): string[] {
  const invoice = readInvoice(xml, syntax)
  return Object.entries(rules)
    .filter(([, { holds }]) => !holds(invoice))
    .map(([id]) => id)
}
