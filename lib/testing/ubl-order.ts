import { XmlDocument, type XmlElement } from 'libxml2-wasm'

/**
 * The order of the UBL 2.1 elements that EN 16931 uses. This file lists the order, because no package contains the
 * schema. Source: OASIS UBL 2.1, UBL-Invoice-2.1.xsd, UBL-CreditNote-2.1.xsd, and
 * UBL-CommonAggregateComponents-2.1.xsd.
 */
const document = (typeCode: string, line: string) =>
  `cbc:CustomizationID cbc:ProfileID cbc:ID cbc:IssueDate cbc:DueDate ${typeCode} cbc:Note cbc:TaxPointDate cbc:DocumentCurrencyCode
  cbc:TaxCurrencyCode cbc:AccountingCost cbc:BuyerReference cac:InvoicePeriod cac:OrderReference cac:BillingReference
  cac:AccountingSupplierParty cac:AccountingCustomerParty cac:PayeeParty cac:TaxRepresentativeParty cac:Delivery
  cac:PaymentMeans cac:PaymentTerms cac:AllowanceCharge cac:TaxTotal cac:LegalMonetaryTotal ${line}`

const line = (quantity: string) =>
  `cbc:ID cbc:Note ${quantity} cbc:LineExtensionAmount cbc:AccountingCost cac:InvoicePeriod cac:OrderLineReference
  cac:DocumentReference cac:AllowanceCharge cac:Item cac:Price`

const children: Readonly<Record<string, string>> = {
  Invoice: document('cbc:InvoiceTypeCode', 'cac:InvoiceLine'),
  CreditNote: document('cbc:CreditNoteTypeCode', 'cac:CreditNoteLine'),
  'cac:InvoiceLine': line('cbc:InvoicedQuantity'),
  'cac:CreditNoteLine': line('cbc:CreditedQuantity'),
  'cac:BillingReference': 'cac:InvoiceDocumentReference',
  'cac:InvoiceDocumentReference': 'cbc:ID cbc:IssueDate',
  'cac:AccountingSupplierParty': 'cac:Party',
  'cac:AccountingCustomerParty': 'cac:Party',
  'cac:Delivery': 'cbc:ID cbc:Quantity cbc:MinimumQuantity cbc:MaximumQuantity cbc:ActualDeliveryDate',
  'cac:Party': `cbc:EndpointID cac:PartyIdentification cac:PartyName cac:PostalAddress cac:PartyTaxScheme cac:PartyLegalEntity
    cac:Contact`,
  'cac:PostalAddress': `cbc:StreetName cbc:AdditionalStreetName cbc:CityName cbc:PostalZone cbc:CountrySubentity cac:AddressLine
    cac:Country`,
  'cac:Country': 'cbc:IdentificationCode',
  'cac:PartyTaxScheme': 'cbc:CompanyID cac:TaxScheme',
  'cac:TaxScheme': 'cbc:ID',
  'cac:PartyLegalEntity': 'cbc:RegistrationName cbc:CompanyID cbc:CompanyLegalForm',
  'cac:Contact': 'cbc:Name cbc:Telephone cbc:ElectronicMail',
  'cac:PaymentMeans': 'cbc:PaymentMeansCode cbc:PaymentID cac:CardAccount cac:PayeeFinancialAccount cac:PaymentMandate',
  'cac:TaxTotal': 'cbc:TaxAmount cac:TaxSubtotal',
  'cac:TaxSubtotal': 'cbc:TaxableAmount cbc:TaxAmount cac:TaxCategory',
  'cac:TaxCategory': 'cbc:ID cbc:Percent cbc:TaxExemptionReasonCode cbc:TaxExemptionReason cac:TaxScheme',
  'cac:LegalMonetaryTotal': `cbc:LineExtensionAmount cbc:TaxExclusiveAmount cbc:TaxInclusiveAmount cbc:AllowanceTotalAmount
    cbc:ChargeTotalAmount cbc:PrepaidAmount cbc:PayableRoundingAmount cbc:PayableAmount`,
  'cac:InvoicePeriod': 'cbc:StartDate cbc:EndDate cbc:DescriptionCode',
  'cac:Item': `cbc:Description cbc:Name cac:BuyersItemIdentification cac:SellersItemIdentification cac:StandardItemIdentification
    cac:OriginCountry cac:CommodityClassification cac:ClassifiedTaxCategory cac:AdditionalItemProperty`,
  'cac:ClassifiedTaxCategory': 'cbc:ID cbc:Percent cac:TaxScheme',
  'cac:Price': 'cbc:PriceAmount cbc:BaseQuantity cac:AllowanceCharge',
}

export function outOfOrder(xml: string): string[] {
  const read = XmlDocument.fromString(xml)
  const wrong = within(read.root)
  read.dispose()
  return wrong
}

function within(parent: XmlElement): string[] {
  const known = (children[nameOf(parent)] ?? '').split(/\s+/)
  const wrong: string[] = []
  let at = 0
  for (let child = parent.firstChild; child; child = child.next) {
    const element = child as XmlElement
    if (!element.name || element.name === 'text') continue
    const name = nameOf(element)
    const place = known.indexOf(name)
    if (place < at) wrong.push(`${nameOf(parent)}: ${name}`)
    else at = place
    wrong.push(...within(element))
  }
  return wrong
}

const nameOf = ({ prefix, name }: XmlElement): string => (prefix ? `${prefix}:${name}` : name)
