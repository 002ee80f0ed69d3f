import { type Element, element, text, xmlOf } from '../../../kernel/xml.ts'
import type { EInvoice } from '../rules/e-invoice.ts'

/** Returns UBL 2.1 (ISO/IEC 19845) in the syntax binding of EN 16931 (CEN/TS 16931-3-2). The schema prescribes the order of the elements. */
export function ublOf(invoice: EInvoice): string {
  const { kind, currency, taxStated, corrects, suppliedIn } = invoice
  const names = kind === 'invoice' ? ofInvoice : ofCreditNote
  return xmlOf(
    element(names.root, { xmlns: `${ubl}${names.root}-2`, ...namespaces }, [
      text('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
      text('cbc:ID', invoice.number),
      text('cbc:IssueDate', invoice.issuedOn),
      text(names.typeCode, names.type),
      invoice.note && text('cbc:Note', invoice.note),
      text('cbc:DocumentCurrencyCode', currency),
      taxStated && text('cbc:TaxCurrencyCode', taxStated.currency),
      suppliedIn && period(suppliedIn),
      corrects &&
        element('cac:BillingReference', {}, [
          element('cac:InvoiceDocumentReference', {}, [
            text('cbc:ID', corrects.number),
            text('cbc:IssueDate', corrects.issuedOn),
          ]),
        ]),
      element('cac:AccountingSupplierParty', {}, [party(invoice.seller)]),
      element('cac:AccountingCustomerParty', {}, [party(invoice.buyer)]),
      element('cac:Delivery', {}, [text('cbc:ActualDeliveryDate', invoice.suppliedOn)]),
      element('cac:PaymentMeans', {}, [text('cbc:PaymentMeansCode', invoice.paymentMeans)]),
      taxTotal(invoice),
      taxStated &&
        element('cac:TaxTotal', {}, [text('cbc:TaxAmount', taxStated.amount, { currencyID: taxStated.currency })]),
      element('cac:LegalMonetaryTotal', {}, [
        money('cbc:LineExtensionAmount', invoice.subtotal, currency),
        money('cbc:TaxExclusiveAmount', invoice.subtotal, currency),
        money('cbc:TaxInclusiveAmount', invoice.total, currency),
        // The total is prepaid, because an invoice is issued after its payment.
        money('cbc:PrepaidAmount', invoice.total, currency),
        money('cbc:PayableAmount', '0.00', currency),
      ]),
      ...invoice.lines.map((line, index) => lineOf(invoice, line, index)),
    ]),
  )
}

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'
const namespaces = {
  'xmlns:cac': `${ubl}CommonAggregateComponents-2`,
  'xmlns:cbc': `${ubl}CommonBasicComponents-2`,
}

const ofInvoice = {
  root: 'Invoice',
  typeCode: 'cbc:InvoiceTypeCode',
  type: '380',
  line: 'cac:InvoiceLine',
  quantity: 'cbc:InvoicedQuantity',
}
const ofCreditNote = {
  root: 'CreditNote',
  typeCode: 'cbc:CreditNoteTypeCode',
  type: '381',
  line: 'cac:CreditNoteLine',
  quantity: 'cbc:CreditedQuantity',
}

const unit = { unitCode: 'C62' }

const money = (name: string, value: string, currencyID: string): Element => text(name, value, { currencyID })

const vat = element('cac:TaxScheme', {}, [text('cbc:ID', 'VAT')])

function party(given: EInvoice['seller']): Element {
  return element('cac:Party', {}, [
    element('cac:PostalAddress', {}, [
      given.street && text('cbc:StreetName', given.street),
      given.streetAdditional && text('cbc:AdditionalStreetName', given.streetAdditional),
      given.city && text('cbc:CityName', given.city),
      given.postalCode && text('cbc:PostalZone', given.postalCode),
      given.region && text('cbc:CountrySubentity', given.region),
      element('cac:Country', {}, [text('cbc:IdentificationCode', given.country)]),
    ]),
    given.vatId && element('cac:PartyTaxScheme', {}, [text('cbc:CompanyID', given.vatId), vat]),
    element('cac:PartyLegalEntity', {}, [
      text('cbc:RegistrationName', given.name),
      given.legalId && text('cbc:CompanyID', given.legalId),
    ]),
    given.contact && element('cac:Contact', {}, [text('cbc:Name', given.contact)]),
  ])
}

const period = ({ from, until }: NonNullable<EInvoice['suppliedIn']>): Element =>
  element('cac:InvoicePeriod', {}, [text('cbc:StartDate', from), text('cbc:EndDate', until)])

const taxTotal = ({ currency, tax, taxes }: EInvoice): Element =>
  element('cac:TaxTotal', {}, [
    money('cbc:TaxAmount', tax, currency),
    ...taxes.map(({ category, percentage, exemption, taxable, amount }) =>
      element('cac:TaxSubtotal', {}, [
        money('cbc:TaxableAmount', taxable, currency),
        money('cbc:TaxAmount', amount, currency),
        element('cac:TaxCategory', {}, [
          text('cbc:ID', category),
          percentage !== null && text('cbc:Percent', percentage),
          exemption && text('cbc:TaxExemptionReasonCode', exemption.code),
          exemption && text('cbc:TaxExemptionReason', exemption.reason),
          vat,
        ]),
      ]),
    ),
  ])

function lineOf({ kind, currency }: EInvoice, line: EInvoice['lines'][number], index: number): Element {
  const names = kind === 'invoice' ? ofInvoice : ofCreditNote
  return element(names.line, {}, [
    text('cbc:ID', String(index + 1)),
    text(names.quantity, String(line.quantity), unit),
    money('cbc:LineExtensionAmount', line.subtotal, currency),
    line.period && period(line.period),
    element('cac:Item', {}, [
      text('cbc:Name', line.name),
      element('cac:ClassifiedTaxCategory', {}, [
        text('cbc:ID', line.tax.category),
        line.tax.percentage !== null && text('cbc:Percent', line.tax.percentage),
        vat,
      ]),
    ]),
    element('cac:Price', {}, [
      money('cbc:PriceAmount', line.price, currency),
      text('cbc:BaseQuantity', String(line.priceQuantity), unit),
    ]),
  ])
}
