import { describe, expect, it } from 'vitest'
import type { Order } from '../../orders/rules/order.ts'
import { invoiceOf, sellerWithVatId, sold, vat } from '../examples.ts'

const one = [{ unitPrice: 3333n, quantity: 3 }]

describe('e-invoice', () => {
  it('an electronic invoice states the first and last day of the service and the day of issue in UTC', () => {
    const order = sold([{ unitPrice: 1000n, quantity: 1 }], [vat('19')])
    const service = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') }
    const lines = order.lines.map((line) => ({
      ...line,
      onInvoice: { description: 'Plätze\n im  November', service, change: null },
    }))
    const invoice = invoiceOf({ ...order, lines })
    expect(invoice?.lines).toMatchObject([
      { name: 'Plätze im November', period: { from: '2026-11-01', until: '2026-11-30' } },
    ])
    expect(invoice?.issuedOn).toBe('2026-11-20')
  })

  it.each<[string, Order]>([
    ['a seller without a VAT ID', sold(one, [vat('19')], { seller: { ...sellerWithVatId, vatId: null } })],
    [
      'a seller whose VAT ID has no country prefix',
      sold(one, [vat('19')], { seller: { ...sellerWithVatId, vatId: '995525828MVA' } }),
    ],
    ['a buyer without a country', sold(one, [vat('19')], { buyer: { country: null } })],
    [
      'two taxes',
      sold(one, [
        { name: 'GST', percentage: '5' },
        { name: 'QST', percentage: '9.975' },
      ]),
    ],
    ['a tax other than VAT', sold(one, [{ name: 'HST', percentage: '13' }])],
  ])('eInvoiceOf returns null for %s', (_name, order) => {
    expect(invoiceOf(order)).toBeNull()
  })

  const reverse = { name: 'Reverse charge', percentage: '0' }
  it.each([
    ['DE', 'DE136695976', reverse, { vatId: 'DE136695976', legalId: null }],
    ['DE', 'de136695976', reverse, { vatId: 'DE136695976', legalId: null }],
    ['DE', 'DE 136 695 976', reverse, { vatId: 'DE136695976', legalId: null }],
    ['GR', 'gr-094259216', reverse, { vatId: 'EL094259216', legalId: null }],
    ['GB', 'gb 980 7806 84', reverse, { vatId: null, legalId: 'GB980780684' }],
    ['NO', '995 525 828 MVA', vat('25'), { vatId: null, legalId: '995 525 828 MVA' }],
    ['US', '12-3456789', vat('0'), { vatId: null, legalId: '12-3456789' }],
    ['DE', null, vat('19'), { vatId: null, legalId: null }],
  ])(
    'in an e-invoice to a buyer in %s, the tax ID %j is in canonical form if it has a country prefix, and otherwise unchanged',
    (country, taxId, tax, ids) => {
      expect(invoiceOf(sold(one, [tax], { buyer: { country, taxId } }))?.buyer).toMatchObject(ids)
    },
  )
})
