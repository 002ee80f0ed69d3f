import { Profile, validateXsd } from '@stackforge-eu/factur-x'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countries } from '../../../kernel/countries.ts'
import { currencies } from '../../../kernel/currencies.ts'
import { brokenRules, readInvoice } from '../../../testing/en16931.ts'
import { outOfOrder } from '../../../testing/ubl-order.ts'
import { reversalOf } from '../../orders/rules/credit-note.ts'
import type { Order } from '../../orders/rules/order.ts'
import { leftOf, reverseLines } from '../../orders/rules/reverse.ts'
import { paymentMethods } from '../../payments/rules/method.ts'
import { isInEuVatArea } from '../../tax/rules/eu.ts'
import { invoiceOf, outsideScope, reverseCharge, type Sold, sold, vat } from '../examples.ts'
import { dateOfSupply } from '../rules/date-of-supply.ts'
import type { EInvoice } from '../rules/e-invoice.ts'
import { ciiOf } from './cii.ts'
import { ublOf } from './ubl.ts'

async function problemsOf(invoice: EInvoice | null): Promise<string[]> {
  if (!invoice) return ['there is no invoice']
  return [...(await problemsOfCii(ciiOf(invoice))), ...problemsOfUbl(ublOf(invoice))]
}

async function problemsOfCii(xml: string): Promise<string[]> {
  const { valid, errors } = await validateXsd(xml, Profile.EN16931)
  return [
    ...(valid ? [] : errors.map((error) => String((error as { message?: string }).message ?? error))),
    ...brokenRules(xml, 'cii'),
  ]
}

const problemsOfUbl = (xml: string): string[] => [...outOfOrder(xml), ...brokenRules(xml, 'ubl')]

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
  'a reverse charge outside the EU': [
    sold(two, [reverseCharge], { buyer: { ...german, country: 'CH', taxId: 'CHE123456788' } }),
    { seller: { vatId: null, legalId: 'NL001234567B01' }, buyer: { vatId: null, legalId: 'CHE123456788' } },
  ],
  'a company whose number has no country prefix': [
    sold(two, [vat('25')], { buyer: { ...german, country: 'NO', taxId: '995525828MVA' } }),
    { buyer: { vatId: null, legalId: '995525828MVA' }, taxes: [{ category: 'S' }] },
  ],
  'a company in Greece': [
    sold(two, [reverseCharge], { buyer: { ...german, country: 'GR', taxId: 'EL094259216' } }),
    { buyer: { vatId: 'EL094259216', legalId: null } },
  ],
  'a sale outside the EU': [
    sold(two, [outsideScope], { buyer: { country: 'US' }, currency: 'USD' }),
    { currency: 'USD', taxes: [{ category: 'O', percentage: null, exemption: { code: 'VATEX-EU-O' } }] },
  ],
  'a sale in kronor, with its VAT in euros': [
    sold(two, [vat('25')], {
      buyer: { country: 'SE' },
      currency: 'SEK',
      exchangeRate: { rate: '11.20', source: 'ecb', on: '2026-11-20' },
      vatStatedIn: [{ currency: 'EUR', rate: '1', source: 'built_in', on: null }],
    }),
    { currency: 'SEK', tax: '27.50', taxStated: { currency: 'EUR', amount: '2.46' } },
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
  'texts with characters that XML forbids': [
    sold(two, [vat('19')], { buyer: { fullName: `<Ada & "Co"> \u0000\u001f\ud800 ไทย 𐍈`, city: ']]>' } }),
    { buyer: { contact: null } },
  ],
}

describe('EN 16931', () => {
  it.each(Object.entries(cases))(
    'in the case of %s, an electronic invoice meets the schema and the rules of EN 16931',
    async (_name, [order, expected]) => {
      const invoice = invoiceOf(order)
      expect(invoice).toMatchObject(expected)
      expect(await problemsOf(invoice)).toEqual([])
    },
  )

  it.each([...paymentMethods, null])(
    'an electronic invoice paid by %s meets the rules of EN 16931',
    async (paymentMethod) => {
      expect(await problemsOf(invoiceOf(sold(two, [vat('19')], { paymentMethod })))).toEqual([])
    },
  )

  it('an electronic invoice in EUR meets the rules of EN 16931 and states its VAT only once', async () => {
    const invoice = invoiceOf(sold(two, [vat('19')], { currency: 'EUR' }))
    expect(await problemsOf(invoice)).toEqual([])
    expect(invoice).toMatchObject({ tax: '20.90', taxStated: null })
    for (const [syntax, xml] of bothOf(invoice)) expect([syntax, vatIn(xml)]).toEqual([syntax, ['20.90 EUR']])
  })

  it.each(currencies.filter((currency) => currency !== 'EUR'))(
    'an electronic invoice in %s meets the rules of EN 16931 and states its VAT in euros, too',
    async (currency) => {
      const vatStatedIn = [{ currency: 'EUR' as const, rate: '1', source: 'built_in' as const, on: null }]
      const exchangeRate = { rate: '11.20', source: 'ecb' as const, on: '2026-11-20' }
      const invoice = invoiceOf(sold(two, [vat('19')], { currency, exchangeRate, vatStatedIn }))
      expect(await problemsOf(invoice)).toEqual([])
      // 20.90 / 11.20 = 1.866, so the VAT is 1.87 EUR.
      for (const [syntax, xml] of bothOf(invoice))
        expect([syntax, vatIn(xml)]).toEqual([syntax, [`20.90 ${currency}`, '1.87 EUR']])
    },
  )

  it('an electronic invoice to a buyer in any country meets the rules of EN 16931', () => {
    const rates = [vat('19'), reverseCharge, outsideScope]
    for (const [index, country] of countries.entries()) {
      const buyer = { ...german, country, taxId: country === 'GR' ? 'EL094259216' : `${country}136695976` }
      // All countries outside the EU's VAT area have the same rules, so each of these countries is checked with only
      // one rate.
      const checked = isInEuVatArea(country) ? rates : rates.slice(index % rates.length).slice(0, 1)
      for (const rate of checked)
        for (const [syntax, xml] of bothOf(invoiceOf(sold(two, [rate], { buyer }))))
          expect(brokenRules(xml, syntax), `${country} ${rate.name}`).toEqual([])
    }
  })

  it('an electronic invoice of a random order meets the rules of EN 16931', async () => {
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
          expect(await problemsOf(invoice)).toEqual([])
        },
      ),
      { numRuns: 20 },
    )
  })

  it('an electronic credit note names the invoice that it corrects', async () => {
    const order = sold(two, [vat('19')])
    const parts = reverseLines(leftOf(order, []), new Map([['order_item_0', 1234n]]))
    const describe = () => ({ description: 'Refund', invoiceDescription: null })
    const reversal = reversalOf(order, parts, { lineIds: ['refund_item_1'], describe })
    const creditNote = {
      ...order,
      ...reversal,
      lines: reversal.lines.map((each) => ({
        ...each,
        productType: null,
        productId: null,
        metadata: null,
        onInvoice: null,
      })),
    }
    const credits = { number: 'INV-2026-000001', issuedAt: new Date('2026-11-20T10:00:00Z') }
    const invoice = invoiceOf(creditNote, { number: 'CN-2026-000001', credits, note: 'Test' })
    expect(invoice).toMatchObject({ kind: 'credit_note', subtotal: '12.34', corrects: { issuedOn: '2026-11-20' } })
    expect(await problemsOf(invoice)).toEqual([])
    for (const [syntax, xml] of bothOf(invoice)) {
      const { type, credited } = readInvoice(xml, syntax)
      expect({ type, credited }, syntax).toEqual({ type: ['381'], credited: ['INV-2026-000001'] })
    }
  })

  const month = { from: new Date('2026-11-20T10:00:00Z'), until: new Date('2026-12-20T00:00:00Z') }
  const credits = { number: 'INV-2026-000001', issuedAt: new Date('2026-11-20T10:00:00Z') }

  it.each([
    ['a one-off product', [null], '20261120', [], []],
    ['a subscription', [month], '20261219', ['20261120'], ['20261219']],
    ['a product and a subscription', [null, month], '20261120', ['20261120'], ['20261219']],
  ])('CII and UBL state the dates of supply of %s', async (_, services, on, from, until) => {
    const order = sold(
      services.map(() => ({ unitPrice: 1000n, quantity: 1 })),
      [vat('19')],
    )
    const lines = order.lines.map((line, index) => {
      const service = services[index] ?? null
      return { ...line, onInvoice: service && { description: null, service, change: null } }
    })
    for (const invoice of [invoiceOf({ ...order, lines }), invoiceOf({ ...order, lines }, { credits })]) {
      expect(await problemsOf(invoice)).toEqual([])
      for (const [syntax, xml] of bothOf(invoice)) {
        expect(xml, syntax).not.toMatch(/<(ram:ApplicableHeaderTradeDelivery|cac:Delivery)(><\/\1>|\/>)/)
        const read = readInvoice(xml, syntax)
        expect([read.suppliedOn, read.suppliedFrom, read.suppliedUntil], syntax).toEqual([[on], from, until])
      }
    }
  })

  it('an electronic replacement invoice names the replaced invoice and the day of supply', async () => {
    const order = sold(two, [reverseCharge], { buyer: german })
    const replaces = { number: 'INV-2026-000001', issuedAt: new Date('2026-11-20T10:00:00Z') }
    const issuedAt = new Date('2026-12-02T10:00:00Z')
    const supply = dateOfSupply(order.lines, replaces.issuedAt)
    const invoice = invoiceOf(order, { number: 'INV-2026-000002', replaces, issuedAt, supply })
    expect(invoice).toMatchObject({ kind: 'invoice', suppliedOn: '2026-11-20' })
    expect(await problemsOf(invoice)).toEqual([])
    for (const [syntax, xml] of bothOf(invoice)) {
      const { type, credited } = readInvoice(xml, syntax)
      expect({ type, credited }, syntax).toEqual({ type: ['380'], credited: ['INV-2026-000001'] })
      expect(xml, syntax).toMatch(/Delivery.*2026-?11-?20/s)
    }
  })
})

const vatIn = (xml: string) =>
  [...xml.matchAll(/(?:<ram:TaxTotalAmount|<cac:TaxTotal>\s*<cbc:TaxAmount) currencyID="(\w+)">([\d.]+)/g)].map(
    ([, currency, amount]) => `${amount} ${currency}`,
  )

const bothOf = (invoice: EInvoice | null) =>
  invoice
    ? ([
        ['cii', ciiOf(invoice)],
        ['ubl', ublOf(invoice)],
      ] as const)
    : []

it('the EN 16931 checks in the tests report the faults of an invalid electronic invoice', async () => {
  const order = sold(two, [reverseCharge], { buyer: german })
  const invoice = invoiceOf(order)
  if (!invoice) throw new Error('there is no invoice')
  const broken = { ...invoice, subtotal: '1.00', buyer: { ...invoice.buyer, vatId: null } }
  const names = ['BR-CO-10', 'BR-CO-15', 'BR-AE-02']
  expect(await problemsOf(broken)).toEqual([...names, ...names])
  const [unknown] = await problemsOfCii(ciiOf(invoice).replaceAll('ram:BilledQuantity', 'ram:Quantity'))
  expect(unknown).toMatch(/Quantity/)
  const ubl = ublOf(invoice)
  expect(problemsOfUbl(ubl.replaceAll('cbc:InvoicedQuantity', 'cbc:Quantity'))).toContain(
    'cac:InvoiceLine: cbc:Quantity',
  )
  const moved = ubl.replace(/(<cbc:IssueDate>.*<\/cbc:IssueDate>)(.*)(<cac:PaymentMeans>)/, '$2$1$3')
  expect(problemsOfUbl(moved)).toEqual(['Invoice: cbc:IssueDate'])
  const unstated = { ...invoice, taxStated: { currency: 'SEK', amount: '1.00' } }
  const without = ublOf(unstated).replace(/<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">.*?<\/cac:TaxTotal>/, '')
  expect(problemsOfUbl(without)).toEqual(['BR-53'])
})
