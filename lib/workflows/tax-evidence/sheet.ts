import { toWire } from '../../kernel/moment.ts'
import type { FactSheet, SheetFact } from '../../modules/invoices/page.ts'
import type { EvidencePack } from './pack.ts'

/** Auditors get the sheet in English, like the admin area. Times are in UTC. */
export function evidenceSheet(pack: EvidencePack): FactSheet {
  const { sale, rule } = pack
  return {
    title: `Tax evidence of ${sale.invoiceNumber ?? pack.orderId}`,
    note: 'The evidence for the tax of this sale (Implementing Regulation (EU) No 282/2011, art. 24b to 24f).',
    madeAt: toWire(pack.laterTaxIdCheck?.checkedAt ?? pack.createdAt),
    sections: [
      { heading: 'The sale', facts: facts(saleRows(pack)) },
      { heading: 'What the buyer declared', facts: facts(declaredRows(pack)) },
      { heading: 'What was found', facts: facts(foundRows(pack)) },
      {
        heading: 'Which rule decided',
        facts: facts([
          ['Decision', rule.decided],
          ['Law', rule.law],
        ]),
      },
      { heading: 'Rates', facts: facts(rateRows(pack)) },
    ],
  }
}

const saleRows = ({ orderId, sale, seller }: EvidencePack): Row[] => [
  ['Order', orderId],
  ['Invoice', sale.invoiceNumber],
  ['Paid at', sale.paidAt],
  ['Before tax', `${sale.subtotal} ${sale.currency}`],
  ['Total', `${sale.total} ${sale.currency}`],
  ['Seller', joined(seller.name, seller.country, seller.vatId)],
  ...seller.registrations.map(
    ({ country, region, scheme, number, from }): Row => [
      `Registered in ${[country, region].filter(Boolean).join('-')}`,
      `${scheme}, ${number}, since ${from}`,
    ],
  ),
]

const declaredRows = ({ declaredCountry, postalCode, declared, taxId, countryConfirmedAt }: EvidencePack): Row[] => [
  ['Country', declaredCountry],
  ['Postal code', postalCode],
  ['Name', declared.fullName],
  ['Company', declared.companyName],
  ['Address', joined(declared.streetAndNumber, declared.streetAdditional, declared.city)],
  ['VAT or tax ID', taxId],
  ['Country confirmed at', countryConfirmedAt && toWire(countryConfirmedAt)],
]

const foundRows = (pack: EvidencePack): Row[] => [
  ['Country of the connection', pack.ipCountry ?? 'not known'],
  ['Country of the payment', pack.paymentCountry ?? 'not known'],
  ['The evidence', standings[pack.standing]],
  ...checkRows('Registry', pack.taxIdCheck),
  ...checkRows('Registry, later', pack.laterTaxIdCheck),
  ...checkRows(`Registry, of ${pack.changedTaxIdCheck?.taxId} on the invoice`, pack.changedTaxIdCheck),
]

const rateRows = ({ rates, sale, exchange }: EvidencePack): Row[] => [
  ...rates.flatMap(({ name, percentage, amount, since, source }): Row[] => [
    [`${name} ${percentage} %`, `${amount} ${sale.currency}${since ? `, in the table since ${since}` : ''}`],
    ['Source', source],
  ]),
  ['Exchange rate', exchange && `${exchange.rate} for 1 EUR, of ${exchange.on ?? 'a built-in table'}`],
  ['Source of it', exchange?.source],
]

const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(', ')

const standings = {
  agreed: 'two pieces name the declared country',
  alone: 'nothing else than the declaration is known',
  confirmed: 'another piece contradicts it; the buyer confirmed the declared country',
  contradicted: 'other pieces contradict the declared country',
} as const satisfies Record<EvidencePack['standing'], string>

type Row = readonly [label: string, value: string | null | undefined]

const facts = (rows: readonly Row[]): SheetFact[] => rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))

function checkRows(label: string, check: EvidencePack['taxIdCheck']): Row[] {
  if (!check) return []
  const { source, result, error, checkedAt, name, address, consultationNumber } = check
  return [
    [label, `${source.toUpperCase()}: ${result}${error ? ` (${error})` : ''}, asked at ${toWire(checkedAt)}`],
    ['Registered as', joined(name, address)],
    ['Consultation number', consultationNumber],
  ]
}
