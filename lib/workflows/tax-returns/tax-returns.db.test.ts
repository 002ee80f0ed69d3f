import { expect, it } from 'vitest'
import { rateFrom, saveRates } from '../../modules/exchange/store.ts'
import { addRegistration, endRegistration, listRegistrations } from '../../modules/tax/operations.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { aShop, tokenOf } from '../../testing/shop.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { invoiceUpdatePage } from '../invoice-update/load-invoice-update.ts'
import { submitInvoiceUpdate } from '../invoice-update/submit-invoice-update.ts'
import { merchantReportCsv } from './merchant-report.ts'

const returnOf = (what: string, period: string, { tenant }: Sale, more = '--json') =>
  `tax-return ${what} --period ${period} --mode test --storefront ${tenant.storefrontId} ${more}`

const company = {
  country: 'DE',
  taxId: 'DE136695976',
  companyName: 'Beispiel GmbH',
  streetAndNumber: 'Weg 1',
  postalCode: '10115',
  city: 'Berlin',
}

async function correctInvoice({ key, orderId }: { key: string; orderId: string }, typed: Record<string, string>) {
  const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })
  const token = tokenOf(body.href)
  const page = await invoiceUpdatePage(token, 'form')
  if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
  await submitInvoiceUpdate(token, new URLSearchParams({ ...page.form, version: page.version, ...typed }))
}

it('the return of a quarter declares its sales and later credit notes, and its total equals the ledger', async () => {
  const shop = await aShop({ at: '2026-12-31T12:00:00Z' })
  const german = await aSale({ shop, price: '100.00', buyer: { country: 'DE' } })
  await aSale({ shop, price: '0.07', buyer: { country: 'DE' }, quantity: 3 })
  await aSale({ shop, price: '50.00', buyer: { country: 'FR' }, taxBehavior: 'inclusive' })
  await aSale({ shop, price: '20.00', buyer: { country: 'GR' } })
  await aSale({ shop, price: '40.00', buyer: company })
  await aSale({ shop, price: '10.00', buyer: { country: 'US', currency: 'USD' } })
  const before = await answer(returnOf('oss', '2026-Q4', german))
  const row = { record: 'supply', period: '2026-Q4', rateType: 'standard', status: 'provisional' }
  const total = { ...row, record: 'total', country: null, rateType: null, rate: null, taxable: null }
  const balance = { ...total, record: 'balance' }
  expect(before).toEqual([
    { ...row, country: 'DE', rate: '19', taxable: '100.21', tax: '19.04' },
    { ...row, country: 'FR', rate: '20', taxable: '41.67', tax: '8.33' },
    { ...row, country: 'EL', rate: '24', taxable: '20.00', tax: '4.80' },
    { ...balance, country: 'DE', tax: '19.04' },
    { ...balance, country: 'FR', tax: '8.33' },
    { ...balance, country: 'EL', tax: '4.80' },
    { ...total, tax: '32.17' },
  ])
  const list = [{ period: '2026-12', country: 'DE', number: '136695976', kind: 'services', amount: '40.00' }]
  expect(await answer(returnOf('sales-list', '2026-12', german))).toEqual([{ ...list[0], status: 'provisional' }])

  // The credit note of the refund is issued in the next quarter.
  await pass(german, 'PT11H59M')
  await send(`POST /v1/orders/${german.orderId}/refunds/full`, { key: german.key })
  await pass(german, 'P4DT12H')
  await aSale({ shop, price: '100.00', buyer: { country: 'FR' } })
  expect(await answer(returnOf('oss', '2026-Q4', german))).toEqual(
    before.map((each: object) => ({ ...each, status: 'final' })),
  )
  expect(await answer(returnOf('oss', '2027-Q1', german))).toEqual([
    {
      record: 'correction',
      period: '2026-Q4',
      country: 'DE',
      rateType: null,
      rate: null,
      taxable: null,
      tax: '-19.00',
      status: 'provisional',
    },
    { ...row, period: '2027-Q1', country: 'FR', rate: '20', taxable: '100.00', tax: '20.00' },
    { ...balance, record: 'repaid', period: '2027-Q1', country: 'DE', tax: '-19.00' },
    { ...balance, period: '2027-Q1', country: 'FR', tax: '20.00' },
    { ...total, period: '2027-Q1', tax: '20.00' },
  ])
  for (const period of ['2026-Q4', '2026-12', '2027-Q1', '2027-01']) {
    const { status, stdout } = await cli(returnOf('totals', period, german))
    expect(status, period).toBe(0)
    const sums = JSON.parse(stdout).filter(({ declaration }: { declaration: string }) => declaration === 'all')
    expect(sums.length, period).toBeGreaterThan(0)
    for (const { taxAmount, ledger, difference } of sums)
      expect([ledger, difference], period).toEqual([taxAmount, '0.00'])
  }
  expect(await brokenInvariants()).toEqual({})
})

it('in the EC sales list, a credit note has the current VAT ID of its invoice', async () => {
  const sale = await aSale({ shop: await aShop({ at: '2026-12-01T12:00:00Z' }), price: '100.00', buyer: company })
  const listed = () => answer(returnOf('sales-list', '2026-12', sale))
  const { body: order } = await send(`GET /v1/orders/${sale.orderId}`, { key: sale.key })
  const items = [{ itemId: order.lines[0].id, amount: { value: '30.00', currency: 'EUR' } }]
  await send(`POST /v1/orders/${sale.orderId}/refunds`, { key: sale.key, body: { items } })
  await pass(sale, 'P1D')
  const row = { period: '2026-12', country: 'DE', kind: 'services', amount: '70.00', status: 'provisional' }
  expect(await listed()).toEqual([{ ...row, number: '136695976' }])
  await correctInvoice(sale, { taxId: 'DE222' })
  expect(await listed()).toEqual([{ ...row, number: '222' }])
})

it('in the EC sales list, a corrected invoice and its credit note cancel each other even after a change of the VAT ID', async () => {
  const shop = await aShop({ at: '2026-12-01T12:00:00Z' })
  const sale = await aSale({ shop, price: '100.00', buyer: { ...company, taxId: '' } })
  const listed = async () =>
    (await answer(returnOf('sales-list', '2026-12', sale))).map((row: { number: string; amount: string }) =>
      [row.number, row.amount].join(' '),
    )
  await correctInvoice(sale, { taxId: 'DE111' })
  expect(await listed()).toEqual(['111 100.00'])
  await pass(sale, 'P1D')
  await send(`POST /v1/orders/${sale.orderId}/refunds/full`, { key: sale.key })
  await pass(sale, 'P1D')
  await correctInvoice(sale, { taxId: 'DE222' })
  expect(await listed()).toEqual([])
})

it('in test mode, the tax is computed and declared by country, whatever the postal code', async () => {
  const shop = await aShop({ at: '2026-12-01T12:00:00Z' })
  const buyer = { streetAndNumber: 'Weg 1', city: 'There' }
  const sale = await aSale({ shop, price: '100.00', buyer: { ...buyer, country: 'ES', postalCode: '35001' } })
  await aSale({ shop, price: '10.00', buyer: { ...buyer, country: 'DE', postalCode: '78266' } })
  await aSale({ shop, price: '1.00', buyer: { ...buyer, country: 'FR', postalCode: '97400' } })
  expect(await answer(returnOf('oss', '2026-Q4', sale))).toMatchObject([
    { country: 'DE', rate: '19', taxable: '10.00', tax: '1.90' },
    { country: 'ES', rate: '21', taxable: '100.00', tax: '21.00' },
    { country: 'FR', rate: '20', taxable: '1.00', tax: '0.20' },
    { record: 'balance', country: 'DE', tax: '1.90' },
    { record: 'balance', country: 'ES', tax: '21.00' },
    { record: 'balance', country: 'FR', tax: '0.20' },
    { record: 'total', tax: '23.10' },
  ])
  const eu = expect.objectContaining({ country: 'EU', sold: '111.00' })
  expect(await answer(returnOf('thresholds', '2026', sale))).toContainEqual(eu)
})

it('the yearly sales to consumers abroad are compared with each threshold that covers their country', async () => {
  const sale = await aSale({ price: '2500.00', buyer: { country: 'DE' } })
  await aSale({ shop: sale.shop, price: '10.00', buyer: { country: 'US' } })
  await aSale({ shop: sale.shop, price: '70.00', buyer: { country: 'NL' } })
  await aSale({ shop: sale.shop, price: '40.00', buyer: { country: 'CH' } })
  await aSale({ shop: sale.shop, price: '30.00', buyer: { country: 'GB' } })
  await aSale({ shop: sale.shop, price: '1000.00', buyer: { country: 'NO' } })
  // The refunded sale does not increase the EU total of 2500.00, because its credit note is deducted.
  const credited = await aSale({ shop: sale.shop, price: '300.00', buyer: { country: 'DE' } })
  await send(`POST /v1/orders/${credited.orderId}/refunds/full`, { key: credited.key })
  await pass(credited, 'P1D')
  const row = { period: '2026', registered: 'no', status: 'provisional' }
  const there = { counts: 'sales_there', within: 'calendar_year' }
  const none = { threshold: null, currency: null, counts: null, within: null, counted: null, percent: null, law: null }
  const rows = await answer(returnOf('thresholds', '2026', sale))
  expect(rows).toMatchObject([
    { ...row, country: 'CA', sold: '0.00', threshold: '30000.00', percent: '0', standing: 'unsold' },
    {
      ...row,
      country: 'CH',
      sold: '40.00',
      threshold: '100000.00',
      currency: 'CHF',
      counts: 'worldwide',
      percent: '3',
      standing: 'below',
    },
    {
      ...row,
      ...there,
      country: 'EU',
      sold: '2500.00',
      threshold: '10000.00',
      currency: 'EUR',
      percent: '25',
      standing: 'below',
    },
    {
      ...row,
      ...there,
      country: 'GB',
      sold: '30.00',
      threshold: '0.00',
      currency: 'GBP',
      percent: '100',
      standing: 'reached',
    },
    {
      ...row,
      country: 'NO',
      threshold: '50000.00',
      currency: 'NOK',
      within: 'twelve_months',
      percent: '23',
      standing: 'below',
    },
    { ...row, ...none, country: 'US', sold: '10.00', standing: 'unknown' },
  ])
  expect(rows[1]).toMatchObject({ counted: '3650.00', since: '2018-01-01', law: expect.stringContaining('art. 10') })
})

it('the tax totals report a difference from the ledger', async () => {
  const sale = await aSale({ price: '100.00' })
  // The invoice states one cent more than the ledger.
  await db().orders.update({
    where: { id: sale.orderId },
    data: { tax_summary: [{ name: 'VAT', percentage: '21', amount: '2101' }] },
  })
  const { status, stdout } = await cli(returnOf('totals', '2026-12', sale))
  expect(status).toBe(1)
  expect(JSON.parse(stdout).at(-1)).toMatchObject({ taxAmount: '21.01', ledger: '21.00', difference: '0.01' })
})

it('a return as CSV contains no rows of another storefront or mode', async () => {
  const sale = await aSale({ price: '100.00', buyer: { country: 'DE' } })
  const other = await aSale({ price: '70.00', buyer: { country: 'AT' } })
  expect((await cli(returnOf('oss', '2026-Q4', sale, '--format csv'))).stdout.split('\r\n')).toEqual([
    'record,period,country,rateType,rate,taxable,tax,status',
    'supply,2026-Q4,DE,standard,19,100.00,19.00,provisional',
    'balance,2026-Q4,DE,,,,19.00,provisional',
    'total,2026-Q4,,,,,19.00,provisional',
    '',
  ])
  expect(await answer(returnOf('oss', '2026-Q4', other))).toHaveLength(3)
  expect(await answer('tax-return totals --period 2026-Q4 --json')).toEqual([])
  expect(await answer('tax-return sales-list --period 2026-Q4 --json')).toEqual([])
})

it('a tax return of a period without sales is a CSV file with only the header line', async () => {
  expect((await cli('tax-return totals --period 2026-Q4 --format csv')).stdout).toBe(
    'period,declaration,country,tax,rate,documents,currency,taxable,taxAmount,ledger,difference,status\r\n',
  )
  expect((await cli('tax-return sales-list --period 2026-Q4 --format csv')).stdout).toBe(
    'period,country,number,kind,amount,status\r\n',
  )
  const period = { name: '2026-Q4', from: new Date('2026-10-01'), until: new Date('2027-01-01') }
  const report = await merchantReportCsv((await aShop()).scope, period)
  expect(report).toMatch(/^period,status,country,.*,totalGross,ledgerTax\r\n$/)
})

it('the return of a past quarter is available as a file for the tax portal of the seller’s country', async () => {
  const shop = await aShop({ at: '2026-12-31T12:00:00Z' })
  const german = await aSale({ shop, price: '100.00', buyer: { country: 'DE' } })
  await aSale({ shop, price: '20.00', buyer: { country: 'GR' } })
  await aSale({ shop, price: '10.00', buyer: { country: 'FI' } })
  await aSale({ shop, price: '30.00', buyer: { country: 'GB' } })
  await aSale({ shop, price: '40.00', buyer: company })
  const asked = (quarter: string) => returnOf('oss', quarter, german, '--format portal')
  const refusal = async (quarter = '2026-Q4') => (await isRefused(asked(quarter))).message
  expect(await refusal()).toMatch(/^--period: Must have ended/)
  // The credit note of the refund is issued in the next quarter.
  await pass(german, 'PT11H59M')
  await send(`POST /v1/orders/${german.orderId}/refunds/full`, { key: german.key })
  await pass(german, 'P1D')
  expect(await refusal()).toMatch(/^--format: Requires a One Stop Shop registration .* in force on 2026-12-31\.$/)

  const dutch = await addRegistration({ country: 'NL', number: 'NL004495445B01', scheme: 'oss', from: '2026-01-01' })
  expect(await refusal()).toBe(
    '--format: The upload format of NL is not supported. Supported countries: SE. The format csv has ' +
      'the columns of the directive.',
  )
  await endRegistration(dutch.id, '2026-06-30')
  const wrong = await addRegistration({ country: 'SE', number: '1', scheme: 'oss', from: '2026-07-01' })
  expect(await refusal()).toBe('--format: Requires a registration number of SE and 12 digits. The number is 1.')
  await endRegistration(wrong.id, '2026-08-31')
  await addRegistration({ country: 'SE', number: '556000-016701', scheme: 'oss', from: '2026-09-01' })
  expect((await listRegistrations()).map((each) => each.number)).toContain('556000016701')
  const file = await cli(asked('2026-Q4'))
  expect(file).toMatchObject({ status: 0, stderr: '' })
  expect(file.stdout.split('\r\n')).toEqual([
    ...['OSS_001;', 'SE556000016701;4;2026;', 'SE;DE;19,00;100,00;19,00;SERVICES;', 'SE;FI;25,50;10,00;2,55;SERVICES;'],
    ...['SE;EL;24,00;20,00;4,80;SERVICES;', ''],
  ])
  await pass(german, 'P90D')
  expect((await cli(asked('2027-Q1'))).stdout).toBe(
    'OSS_001;\r\nSE556000016701;1;2027;\r\nCORRECTIONS\r\n2026Q4;DE;-19,00;\r\n',
  )
  expect(await refusal('2026-12')).toBe('--period: Must be a quarter, such as 2026-Q4.')
})

it.each([
  ['tax-return oss --period 2026-12', '--period: Must be a quarter, such as 2026-Q4.'],
  [
    'tax-return totals --period 2026-Q5',
    '--period: Must be a year, quarter or month, such as 2026, 2026-Q4 or 2026-12.',
  ],
  ['tax-return totals --period 2026-Q4 --mode test', '--storefront: Is required in test mode.'],
  [
    'tax-return oss --period 2026-Q4 --storefront storefront_nothing',
    '--storefront: Must be omitted in live mode, because the seller declares the sales of all storefronts together.',
  ],
])('the tax return command "%s" is refused', async (line, sentence) => {
  expect((await isRefused(line)).message).toBe(sentence)
})

it('tax returns of an unknown storefront are refused', async () => {
  await isRefused('tax-return totals --period 2026-Q4 --mode test --storefront storefront_nothing')
})

it.each([
  ['2026-06-30', '1.10'],
  // 27 June is a Saturday, so the rate of Monday, 29 June, applies. That rate is missing, and a later rate does not
  // replace it.
  ['2026-06-27', null],
  ['2026-06-26', null],
  ['2026-07-01', '1.20'],
  ['2026-07-04', '1.30'],
  ['2026-07-02', null],
])(
  'for the day %s, rateFrom returns %s: the exchange rate of this day or, on a weekend, of the next business day',
  async (day, rate) => {
    const rates = [
      { currency: 'USD', day: '2026-06-30', rate: '1.10' },
      { currency: 'USD', day: '2026-07-01', rate: '1.20' },
      { currency: 'USD', day: '2026-07-06', rate: '1.30' },
    ] as const
    await saveRates(db(), rates, new Date('2026-07-01T16:00:00Z'))
    expect((await rateFrom(db(), 'USD', day))?.rate ?? null).toBe(rate)
  },
)
