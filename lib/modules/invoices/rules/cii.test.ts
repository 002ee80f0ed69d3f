import { Profile, validateXsd } from '@stackforge-eu/factur-x'
import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, it } from 'vitest'
import { reversalOf } from '../../orders/rules/credit-note.ts'
import type { Order } from '../../orders/rules/order.ts'
import { leftOf, reverseLines } from '../../orders/rules/reverse.ts'
import { invoiceOf, outsideScope, reverseCharge, type Sold, sold, vat } from '../examples.ts'
import { ciiOf } from './cii.ts'

/** Reads an invoice back as a program does. */
function read(xml: string) {
  const document = XmlDocument.fromString(xml)
  const names = {
    ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
    rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  }
  const all = (path: string) => document.find(path, names).map((node) => (node as { content: string }).content)
  const numbers = (path: string) => all(path).map(Number)
  return { all, numbers, close: () => document.dispose() }
}

const cents = (value: number) => Math.round(value * 100)

/**
 * The rules of EN 16931 that concern what we write, by their names in the standard. They are read from the XML alone, and
 * know nothing of the code that made it.
 */
function brokenRules(xml: string): string[] {
  const { all, numbers, close } = read(xml)
  const settlement = '//ram:ApplicableHeaderTradeSettlement'
  const totals = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
  const breakdown = `${settlement}/ram:ApplicableTradeTax`
  const line = '//ram:IncludedSupplyChainTradeLineItem'
  const one = (path: string) => cents(numbers(path)[0] ?? Number.NaN)
  const lines = numbers(`${line}//ram:LineTotalAmount`)
  const [quantities, prices, bases] = [
    numbers(`${line}//ram:BilledQuantity`),
    numbers(`${line}//ram:NetPriceProductTradePrice/ram:ChargeAmount`),
    numbers(`${line}//ram:NetPriceProductTradePrice/ram:BasisQuantity`),
  ]
  const [lineCategories, categories] = [
    all(`${line}//ram:ApplicableTradeTax/ram:CategoryCode`),
    all(`${breakdown}/ram:CategoryCode`),
  ]
  const [taxable, taxes, rates] = [
    numbers(`${breakdown}/ram:BasisAmount`),
    numbers(`${breakdown}/ram:CalculatedAmount`),
    numbers(`${breakdown}/ram:RateApplicablePercent`),
  ]
  const vatIds = (party: string) => all(`//ram:${party}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='VA']`)
  const legalIds = all('//ram:SellerTradeParty/ram:SpecifiedLegalOrganization/ram:ID')
  const isOnly = (category: string) => lineCategories.every((each) => each === category)
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + cents(value), 0)
  const rules: Record<string, boolean> = {
    'BR-02': all('//rsm:ExchangedDocument/ram:ID')[0] !== '',
    'BR-06': all('//ram:SellerTradeParty/ram:Name')[0] !== '',
    'BR-07': all('//ram:BuyerTradeParty/ram:Name')[0] !== '',
    'BR-09': all('//ram:SellerTradeParty//ram:CountryID').length === 1,
    'BR-11': all('//ram:BuyerTradeParty//ram:CountryID').length === 1,
    'BR-16': lines.length > 0,
    'BR-25': all(`${line}//ram:SpecifiedTradeProduct/ram:Name`).every((name) => name !== ''),
    'BR-27': prices.every((price) => price >= 0),
    'BR-45': taxable.length > 0,
    'BR-CO-10': sumOf(lines) === one(`${totals}/ram:LineTotalAmount`),
    'BR-CO-13': one(`${totals}/ram:LineTotalAmount`) === one(`${totals}/ram:TaxBasisTotalAmount`),
    'BR-CO-14': sumOf(taxes) === one(`${totals}/ram:TaxTotalAmount`),
    'BR-CO-15':
      one(`${totals}/ram:TaxBasisTotalAmount`) + one(`${totals}/ram:TaxTotalAmount`) ===
      one(`${totals}/ram:GrandTotalAmount`),
    'BR-CO-16':
      one(`${totals}/ram:GrandTotalAmount`) - one(`${totals}/ram:TotalPrepaidAmount`) ===
      one(`${totals}/ram:DuePayableAmount`),
    // Where tax is taken out of a price, net and tax are rounded once each: the rule's own test allows for it.
    'BR-CO-17': rates.every(
      (rate, index) => Math.abs(cents((taxable[index] ?? 0) * (rate / 100)) - cents(taxes[index] ?? 0)) <= 1,
    ),
    'BR-CO-18': categories.length > 0,
    'BR-CO-26': vatIds('SellerTradeParty').length + legalIds.length > 0,
    'BR-S-02': !lineCategories.includes('S') || vatIds('SellerTradeParty').length === 1,
    'BR-S-08': sumOf(taxable) === sumOf(lines),
    'BR-AE-02':
      !lineCategories.includes('AE') ||
      (vatIds('SellerTradeParty').length === 1 && vatIds('BuyerTradeParty').length === 1),
    'BR-AE-10': !categories.includes('AE') || all(`${breakdown}/ram:ExemptionReasonCode`)[0] === 'VATEX-EU-AE',
    'BR-O-02':
      !lineCategories.includes('O') || vatIds('SellerTradeParty').length + vatIds('BuyerTradeParty').length === 0,
    'BR-O-05': !lineCategories.includes('O') || numbers(`${line}//ram:RateApplicablePercent`).length === 0,
    'BR-O-11': !categories.includes('O') || (categories.length === 1 && isOnly('O')),
    'a line is its quantity of the price': lines.every(
      (amount, index) =>
        cents(((prices[index] ?? 0) * (quantities[index] ?? 0)) / (bases[index] ?? 1)) === cents(amount),
    ),
  }
  close()
  return Object.keys(rules).filter((rule) => !rules[rule])
}

async function problemsOf(xml: string): Promise<string[]> {
  const { valid, errors } = await validateXsd(xml, Profile.EN16931)
  return [
    ...(valid ? [] : errors.map((error) => String((error as { message?: string }).message ?? error))),
    ...brokenRules(xml),
  ]
}

const german = {
  taxId: 'DE136695976',
  companyName: 'Beispiel GmbH',
  streetAndNumber: 'Weg 1',
  city: 'Berlin',
  postalCode: '10115',
}
const two: Sold[] = [
  { unitPrice: 3333n, quantity: 3 },
  { unitPrice: 999n, quantity: 1 },
]

const cases: Record<string, [order: Order, expected: object]> = {
  'a domestic rate': [
    sold(two, [vat('19')]),
    { taxes: [{ category: 'S', percentage: '19', taxable: '109.98', amount: '20.90' }], total: '130.88' },
  ],
  'prices with tax': [
    sold(two, [vat('19')], { behavior: 'inclusive' }),
    { total: '109.98', tax: '17.56', subtotal: '92.42' },
  ],
  'a rate of 0': [sold(two, [vat('0')]), { taxes: [{ category: 'Z', percentage: '0', amount: '0.00' }] }],
  'a reverse charge in the EU': [
    sold(two, [reverseCharge], { buyer: german }),
    {
      buyer: { name: 'Beispiel GmbH', contact: 'Ada Lovelace', vatId: 'DE136695976' },
      taxes: [{ category: 'AE', percentage: '0', exemption: { code: 'VATEX-EU-AE' } }],
    },
  ],
  'a reverse charge beyond it': [
    sold(two, [reverseCharge], { buyer: { ...german, country: 'CH', taxId: 'CHE123456788' } }),
    { seller: { vatId: null, legalId: 'NL001234567B01' }, buyer: { vatId: null, legalId: 'CHE123456788' } },
  ],
  'a sale outside the EU': [
    sold(two, [outsideScope], { buyer: { country: 'US' }, currency: 'USD' }),
    { currency: 'USD', taxes: [{ category: 'O', percentage: null, exemption: { code: 'VATEX-EU-O' } }] },
  ],
  'a credit for unused time': [
    sold(
      [
        { unitPrice: 3000n, quantity: 2 },
        { unitPrice: -1000n, quantity: 2 },
      ],
      [vat('21')],
    ),
    {
      lines: [
        { quantity: 2, price: '30.00' },
        { quantity: -2, price: '10.00', subtotal: '-20.00' },
      ],
    },
  ],
  'words that are no XML': [
    sold(two, [vat('19')], { buyer: { fullName: `<Ada & "Co"> \u0000\u001f\ud800 ไทย 𐍈`, city: ']]>' } }),
    { buyer: { contact: null } },
  ],
}

describe('an electronic invoice', () => {
  it.each(Object.entries(cases))(
    'of %s meets the schema and the rules of the standard',
    async (_name, [order, expected]) => {
      const invoice = invoiceOf(order)
      expect(invoice).toMatchObject(expected)
      expect(await problemsOf(ciiOf(invoice as NonNullable<typeof invoice>))).toEqual([])
    },
  )

  it('of any order does so', async () => {
    const line = fc.record({
      unitPrice: fc.bigInt({ min: 0n, max: 9_999_999n }),
      quantity: fc.integer({ min: 1, max: 100 }),
    })
    const rate = fc.constantFrom('0', '2.1', '5.5', '7', '8.1', '17', '19', '20', '22', '25.5', '27')
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        rate,
        fc.constantFrom('exclusive' as const, 'inclusive' as const),
        fc.record({ fullName: fc.string({ unit: 'grapheme' }), city: fc.string({ unit: 'binary' }) }),
        async (lines, percentage, behavior, buyer) => {
          const invoice = invoiceOf(sold(lines, [vat(percentage)], { behavior, buyer: { ...buyer, companyName: 'x' } }))
          expect(invoice && (await problemsOf(ciiOf(invoice)))).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('of a credit note names what it corrects', async () => {
    const order = sold(two, [vat('19')])
    const parts = reverseLines(leftOf(order, []), new Map([['order_item_0', 1234n]]))
    const describe = () => ({ description: 'Refund', invoiceDescription: null })
    const reversal = reversalOf(order, parts, { lineIds: ['refund_item_1'], describe })
    const creditNote = {
      ...order,
      ...reversal,
      lines: reversal.lines.map((each) => ({ ...each, productType: null, productId: null, onInvoice: null })),
    }
    const credits = { number: 'INV-2026-000001', issuedAt: new Date('2026-11-20T10:00:00Z') }
    const invoice = invoiceOf(creditNote, { number: 'CN-2026-000001', credits, note: 'Test' })
    expect(invoice).toMatchObject({ kind: 'credit_note', subtotal: '12.34', credits: { issuedOn: '2026-11-20' } })
    const xml = ciiOf(invoice as NonNullable<typeof invoice>)
    expect(await problemsOf(xml)).toEqual([])
    const { all, close } = read(xml)
    expect(all('//rsm:ExchangedDocument/ram:TypeCode')).toEqual(['381'])
    expect(all('//ram:InvoiceReferencedDocument/ram:IssuerAssignedID')).toEqual(['INV-2026-000001'])
    close()
  })
})

it('the rules find what is wrong', async () => {
  const order = sold(two, [reverseCharge], { buyer: german })
  const invoice = invoiceOf(order)
  if (!invoice) throw new Error('there is no invoice')
  const broken = ciiOf({ ...invoice, subtotal: '1.00', buyer: { ...invoice.buyer, vatId: null } })
  expect(await problemsOf(broken)).toEqual(['BR-CO-10', 'BR-CO-15', 'BR-AE-02'])
  const [unknown] = await problemsOf(ciiOf(invoice).replaceAll('ram:BilledQuantity', 'ram:Quantity'))
  expect(unknown).toMatch(/Quantity/)
})
