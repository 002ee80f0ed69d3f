import { type Element, element, text, xmlOf } from '../../../kernel/xml.ts'
import type { EInvoice } from '../rules/e-invoice.ts'

/**
 * Returns a UN/CEFACT Cross Industry Invoice D22B in the syntax binding of EN 16931 (CEN/TS 16931-3-3), which Factur-X and ZUGFeRD embed. The schema
 * prescribes the order of the elements.
 */
export function ciiOf(invoice: EInvoice): string {
  const { number, kind, issuedOn, note } = invoice
  return xmlOf(
    element('rsm:CrossIndustryInvoice', namespaces, [
      element('rsm:ExchangedDocumentContext', {}, [
        element('ram:GuidelineSpecifiedDocumentContextParameter', {}, [text('ram:ID', 'urn:cen.eu:en16931:2017')]),
      ]),
      element('rsm:ExchangedDocument', {}, [
        text('ram:ID', number),
        text('ram:TypeCode', kind === 'invoice' ? '380' : '381'),
        day('ram:IssueDateTime', issuedOn),
        note && element('ram:IncludedNote', {}, [text('ram:Content', note)]),
      ]),
      element('rsm:SupplyChainTradeTransaction', {}, [
        ...invoice.lines.map(lineItem),
        element('ram:ApplicableHeaderTradeAgreement', {}, [
          party('ram:SellerTradeParty', invoice.seller),
          party('ram:BuyerTradeParty', invoice.buyer),
        ]),
        element('ram:ApplicableHeaderTradeDelivery', {}, [
          element('ram:ActualDeliverySupplyChainEvent', {}, [day('ram:OccurrenceDateTime', invoice.suppliedOn)]),
        ]),
        settlement(invoice),
      ]),
    ]),
  )
}

const namespaces = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}

const unit = { unitCode: 'C62' }

function lineItem(line: EInvoice['lines'][number], index: number): Element {
  return element('ram:IncludedSupplyChainTradeLineItem', {}, [
    element('ram:AssociatedDocumentLineDocument', {}, [text('ram:LineID', String(index + 1))]),
    element('ram:SpecifiedTradeProduct', {}, [text('ram:Name', line.name)]),
    element('ram:SpecifiedLineTradeAgreement', {}, [
      element('ram:NetPriceProductTradePrice', {}, [
        text('ram:ChargeAmount', line.price),
        text('ram:BasisQuantity', String(line.priceQuantity), unit),
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', {}, [text('ram:BilledQuantity', String(line.quantity), unit)]),
    element('ram:SpecifiedLineTradeSettlement', {}, [
      element('ram:ApplicableTradeTax', {}, [
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', line.tax.category),
        line.tax.percentage !== null && text('ram:RateApplicablePercent', line.tax.percentage),
      ]),
      line.period && period(line.period),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', {}, [text('ram:LineTotalAmount', line.subtotal)]),
    ]),
  ])
}

function party(name: string, given: EInvoice['seller']): Element {
  return element(name, {}, [
    text('ram:Name', given.name),
    given.legalId && element('ram:SpecifiedLegalOrganization', {}, [text('ram:ID', given.legalId)]),
    given.contact && element('ram:DefinedTradeContact', {}, [text('ram:PersonName', given.contact)]),
    element('ram:PostalTradeAddress', {}, [
      given.postalCode && text('ram:PostcodeCode', given.postalCode),
      given.street && text('ram:LineOne', given.street),
      given.streetAdditional && text('ram:LineTwo', given.streetAdditional),
      given.city && text('ram:CityName', given.city),
      text('ram:CountryID', given.country),
      given.region && text('ram:CountrySubDivisionName', given.region),
    ]),
    given.vatId && element('ram:SpecifiedTaxRegistration', {}, [text('ram:ID', given.vatId, { schemeID: 'VA' })]),
  ])
}

function settlement(invoice: EInvoice): Element {
  const { currency, corrects, taxStated } = invoice
  return element('ram:ApplicableHeaderTradeSettlement', {}, [
    taxStated && text('ram:TaxCurrencyCode', taxStated.currency),
    text('ram:InvoiceCurrencyCode', currency),
    element('ram:SpecifiedTradeSettlementPaymentMeans', {}, [text('ram:TypeCode', invoice.paymentMeans)]),
    ...invoice.taxes.map(({ category, percentage, exemption, taxable, amount }) =>
      element('ram:ApplicableTradeTax', {}, [
        text('ram:CalculatedAmount', amount),
        text('ram:TypeCode', 'VAT'),
        exemption && text('ram:ExemptionReason', exemption.reason),
        text('ram:BasisAmount', taxable),
        text('ram:CategoryCode', category),
        exemption && text('ram:ExemptionReasonCode', exemption.code),
        percentage !== null && text('ram:RateApplicablePercent', percentage),
      ]),
    ),
    invoice.suppliedIn && period(invoice.suppliedIn),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', {}, [
      text('ram:LineTotalAmount', invoice.subtotal),
      text('ram:TaxBasisTotalAmount', invoice.subtotal),
      text('ram:TaxTotalAmount', invoice.tax, { currencyID: currency }),
      taxStated && text('ram:TaxTotalAmount', taxStated.amount, { currencyID: taxStated.currency }),
      text('ram:GrandTotalAmount', invoice.total),
      // The total is prepaid, because an invoice is issued after its payment.
      text('ram:TotalPrepaidAmount', invoice.total),
      text('ram:DuePayableAmount', '0.00'),
    ]),
    corrects &&
      element('ram:InvoiceReferencedDocument', {}, [
        text('ram:IssuerAssignedID', corrects.number),
        element('ram:FormattedIssueDateTime', {}, [
          text('qdt:DateTimeString', compact(corrects.issuedOn), { format: '102' }),
        ]),
      ]),
  ])
}

const period = ({ from, until }: NonNullable<EInvoice['suppliedIn']>): Element =>
  element('ram:BillingSpecifiedPeriod', {}, [day('ram:StartDateTime', from), day('ram:EndDateTime', until)])

const day = (name: string, iso: string): Element =>
  element(name, {}, [text('udt:DateTimeString', compact(iso), { format: '102' })])

const compact = (iso: string): string => iso.replaceAll('-', '')
