import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { resetVies } from '../../providers/vies/client.ts'
import { send } from '../../testing/api.ts'
import { answer, isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { runDueTasks, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { startVies, type Vies } from '../../testing/stand-ins/vies.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { afterReturn, submitCheckout } from '../sale/submit-checkout.ts'
import { findMissedChargebacks } from './missed.ts'

/**
 * The tests cover a year of live mode, from the first sale to the tax return. Local servers simulate the provider and
 * VIES.
 */

const cases = [
  {
    name: 'Mollie',
    start: liveMollie,
    environmentOf: ({ apiKey, base, accessToken }: LiveProvider['account']) => ({
      MOLLIE_API_KEY: apiKey,
      MOLLIE_API_BASE: base,
      MOLLIE_ACCESS_TOKEN: accessToken ?? '',
    }),
  },
  {
    name: 'Stripe',
    start: liveStripe,
    environmentOf: ({ apiKey, base }: LiveProvider['account']) => ({
      MOLLIE_API_KEY: undefined,
      STRIPE_API_KEY: apiKey,
      STRIPE_API_BASE: base,
    }),
  },
]

let vies: Vies
let toTheBeginning: () => Promise<void>
beforeAll(async () => {
  await travelTo('2027-02-10T09:00:00Z')
  toTheBeginning = await takeSnapshot()
  vies = await startVies()
  vies.register({ countryCode: 'BE', vatNumber: '0403019261', name: 'ACME SA', address: 'Rue 1' })
})
afterAll(() => vies.close())

const visitor = { acceptLanguage: 'en', header: () => null }
const company = {
  email: 'ap@acme.example',
  fullName: 'Anne Dupont',
  country: 'BE',
  taxId: 'BE0403019261',
  confirmCountry: 'BE',
  companyName: 'ACME SA',
  streetAndNumber: 'Rue 1',
  postalCode: '1000',
  city: 'Bruxelles',
}
const consumer = {
  email: 'joana@mar.example',
  fullName: 'Joana Reis',
  country: 'PT',
  postalCode: '9000-082',
  confirmCountry: 'PT',
}
const returnOf = (what: string, period: string) => answer(`tax-return ${what} --period ${period} --mode live --json`)

describe.each(cases)('a year of payments at $name leaves correct books', ({ start, environmentOf }) => {
  let provider: LiveProvider
  let storefront: { storefrontId: string; liveKey: string }
  let planId: string

  const get = async (path: string) => {
    const { status, body } = await send(`GET ${path}`, { key: storefront.liveKey })
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const order = async (which: number) => (await get('/v1/orders?limit=10')).data.at(which)
  const cli = (line: string) => answer(`${line} --json`)
  const comparison = () => answer('reconciliation run --json', `Comparing the books of ${provider.name}.\n`)
  const ofStorefront = () => `--storefront ${storefront.storefrontId} --mode live`
  const balanceOf = async (account: string) => {
    const accounts = await cli(`ledger balance ${ofStorefront()}`)
    return accounts.find((each: { account: string }) => each.account === account)?.amount
  }
  const later = async (moment: string) => {
    await travelTo(moment)
    await runDueTasks(1000)
  }

  beforeAll(async () => {
    await travelTo('2027-02-10T09:00:00Z')
    await toTheBeginning()
    resetVies()
    provider = await start()
    configure({ ...environmentOf(provider.account), VIES_API_BASE: vies.url, PAYOUT_HOLD_DAYS: '7' })
    const { merchantId } = await cli('merchant create --name Lumen')
    storefront = await cli(`storefront create --merchant ${merchantId} --name Lumen`)
    const plan = { basePrice: stock.price('100.00'), interval: 'year' }
    ;({ id: planId } = await stock.aPlan(storefront.liveKey, plan))
    await cli(`review start --id ${planId}`)
    await cli(`review approve --id ${planId}`)
  })
  afterAll(() => provider.close())

  it.each([
    ['a Belgian company with a valid ID', company, '100.00', 'Reverse charge'],
    ['a consumer in Madeira', consumer, '122.00', 'VAT'],
  ])('in the simulation of live sales, a plan is sold to %s', async (_buyer, form, total, tax) => {
    const checkout = await stock.aCheckout(storefront.liveKey, planId)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const sent = await submitCheckout(token, new URLSearchParams({ ...form, paymentMethod: 'creditcard' }), visitor)
    const payment = provider.payments().at(-1)
    expect(payment).toMatchObject({ amount: `${total} EUR`, kind: 'with a mandate' })
    expect(sent?.redirectTo).toBe(`${provider.url}/checkout/${payment?.ref}`)
    provider.pay(payment?.ref ?? '')
    await afterReturn(token)
    await runDueTasks()
    const { orderId } = await get(`/v1/checkouts/${checkout.id}`)
    const paid = {
      status: 'paid',
      testmode: false,
      total: stock.price(total),
      taxSummary: [{ taxRate: { name: tax } }],
    }
    expect(await get(`/v1/orders/${orderId}`)).toMatchObject(paid)
  })

  it('in the simulation of live sales, a bank file pays out the sales after the waiting period', async () => {
    await cli(`payout set-account ${ofStorefront()} --holder Lumen --iban NL91ABNA0417164300`)
    const request = `payout request ${ofStorefront()} --amount 189.00`
    expect((await isRefused(request)).message).toContain('189.00 EUR is held until 7 days after its payment')
    await later('2027-02-18T09:00:00Z')
    await cli(request)
    const folder = await mkdtemp(join(tmpdir(), 'billhook-year-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const out = join(folder, 'payouts.xml')
    const { batchId } = await cli(`payout export --mode live --out ${out}`)
    const file = await readFile(out, 'utf8')
    expect(file).toContain('<InstdAmt Ccy="EUR">189.00</InstdAmt>')
    expect(file).toContain('<IBAN>NL91ABNA0417164300</IBAN>')
    expect(await cli(`payout mark --batch ${batchId} --as paid`)).toMatchObject([{ status: 'paid', amount: '189.00' }])
    expect(await balanceOf('merchant_balance')).toBe('0.00')
  })

  it('in the simulation of live sales, our books equal the provider’s books and settlement after the sales', () =>
    agrees('222.00', '222.00'))

  it('in the simulation of live sales, the subscriptions are renewed after a year', async () => {
    await later('2028-02-10T09:10:00Z')
    const charged = provider.payments().filter(({ kind }) => kind === 'on a mandate')
    expect(charged).toMatchObject([{ amount: '100.00 EUR' }, { amount: '122.00 EUR' }])
    for (const [which, { amount }] of charged.toReversed().entries())
      expect(await order(which)).toMatchObject({ status: 'paid', total: stock.price(amount.slice(0, -4)) })
  })

  it('in the simulation of live sales, one renewal is partly refunded, and another renewal is disputed', async () => {
    const [{ ref: disputed } = { ref: '' }, { ref: refunded } = { ref: '' }] = provider.payments().slice(-2)
    const [consumers, companys] = [await order(0), await order(1)]
    const items = [{ itemId: consumers.lines[0].id, amount: stock.price('40.00') }]
    const asked = await send(`POST /v1/orders/${consumers.id}/refunds`, { key: storefront.liveKey, body: { items } })
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
    await later('2028-02-10T11:20:00Z')
    expect(provider.refundsOf(refunded)).toMatchObject([{ amount: '48.80 EUR' }])
    for (const refund of provider.refundsOf(refunded)) refund.settle()
    provider.dispute(disputed)
    await findMissedChargebacks()
    await later('2028-02-12T11:20:00Z')
    expect(await get(`/v1/refunds/${asked.body.id}`)).toMatchObject({ status: 'refunded' })
    const chargebacks = await get(`/v1/orders/${companys.id}/chargebacks`)
    expect(chargebacks.data).toMatchObject([{ status: 'pending', total: stock.price('100.00') }])
  })

  // The next settlement contains the renewals of 222.00 minus the refund of 48.80 and the disputed 100.00. The provider
  // withholds a disputed amount immediately, but the account `provider_clearing` loses the amount only after the
  // dispute is lost.
  it('in the simulation of live sales, our books equal the provider’s books after the refund and the dispute', () =>
    agrees('73.20', '395.20'))

  it('in the simulation of live sales, the dispute is lost after half a year', async () => {
    await travelTo('2028-08-14T12:00:00Z')
    provider.loseDisputes()
    await later('2028-08-14T12:10:00Z')
    const { data } = await get('/v1/orders?limit=10')
    expect(data.at(0)).toMatchObject({ invoiceNumber: 'CN-2028-000002', total: stock.price('100.00') })
    // We owe the merchant two renewals after fees (189.00), minus the refund after its fee (37.80), the lost renewal (100.00), and the dispute fee (15.00).
    expect(await balanceOf('merchant_balance')).toBe('-36.20')
    expect(await balanceOf('provider_clearing')).toBe('295.20')
    expect(await comparison()).toEqual([])
  })

  it('in the simulation of live sales, the One Stop Shop return and the EC sales list add up to the ledger', async () => {
    const supply = { record: 'supply', country: 'PT', rate: '22', status: 'final' }
    const total = (tax: string) => ({ record: 'total', tax })
    const balance = (tax: string) => ({ record: 'balance', country: 'PT', tax })
    expect(await returnOf('oss', '2027-Q1')).toMatchObject([
      { ...supply, period: '2027-Q1', taxable: '100.00', tax: '22.00' },
      balance('22.00'),
      total('22.00'),
    ])
    expect(await returnOf('oss', '2028-Q1')).toMatchObject([
      { ...supply, period: '2028-Q1', taxable: '60.00', tax: '13.20' },
      balance('13.20'),
      total('13.20'),
    ])
    const listed = { country: 'BE', number: '0403019261', kind: 'services' }
    for (const [period, amount] of Object.entries({ '2027-Q1': '100.00', '2028-Q1': '100.00', '2028-Q3': '-100.00' }))
      expect(await returnOf('sales-list', period)).toMatchObject([{ ...listed, amount }])
    for (const [period, tax] of Object.entries({ '2027-Q1': '22.00', '2028-Q1': '13.20', '2028-Q3': '0.00' })) {
      const sum = { declaration: 'all', taxAmount: tax, ledger: tax, difference: '0.00' }
      expect((await returnOf('totals', period)).at(-1)).toMatchObject(sum)
    }
    expect(await balanceOf('tax_payable')).toBe('-35.20')
  })

  it('in the simulation of live sales, every invariant holds at the end', async () =>
    expect(await brokenInvariants()).toEqual({}))

  /** `settled` is the amount of the next settlement. `clearing` is the provider's money in the ledger. Both are in EUR. */
  async function agrees(settled: string, clearing: string) {
    provider.settlements.settle()
    expect(await comparison()).toEqual([])
    const [newest] = await cli('reconciliation settlements')
    expect(newest).toMatchObject({ status: 'paid', revenue: settled })
    expect(await balanceOf('provider_clearing')).toBe(clearing)
  }
})
