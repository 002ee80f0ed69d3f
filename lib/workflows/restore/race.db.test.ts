import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { findPayments } from '../../modules/payments/store.ts'
import { db } from '../../platform/db/db.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import { decisive, expireLeases, killedAt } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import * as lost from '../../testing/lost-renewal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { runDueTasks } from '../../testing/shop.ts'
import { type LiveProvider, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { travelTo } from '../../testing/time-travel.ts'
import { chargeAtProvider } from '../collection/charge-at-provider.ts'

let toTheBeginning: () => Promise<void>
let provider: LiveProvider
let shop: lost.LiveShop

beforeAll(async () => {
  await travelTo(lost.backupAt)
  toTheBeginning = await takeSnapshot()
})
beforeEach(async () => {
  await travelTo(lost.backupAt)
  await toTheBeginning()
  provider = await liveStripe()
  provider.reset()
  lost.configureLive(provider)
  shop = await lost.aLiveShop()
})
afterEach(() => provider.close())

const compare = () => answer(`restore compare --since ${lost.backupAt} --json`)
const charges = () => provider.payments().filter(({ kind }) => kind === 'on a mandate')

async function lostRenewal(plans = 1): Promise<void> {
  await lost.sell(provider, shop, { plans })
  const restore = await lost.backup()
  await lost.toRenewal()
  await restore()
  provider.forgetKeys()
  await compare()
}

it('if two concurrent charges match one payment that the restored database lacks, only one charge uses this payment', async () => {
  await lostRenewal(2)
  await db().unknown_payments.deleteMany({ where: { ref: charges()[0]?.ref ?? '' } })
  await lost.toChargesBeforeRequest()
  const payments = await created()
  expect(payments).toHaveLength(2)
  const lock = { sql: 'SELECT FROM unknown_payments FOR UPDATE' }
  const results = await raceBehind(
    lock,
    payments.map((each) => () => chargeAtProvider(tenant(), [each])),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(charges()).toHaveLength(2)
  await runDueTasks(1000)
  expect(charges()).toHaveLength(3)
  expect(await lost.failures()).toEqual([])
  expect(await lost.ordersOf(shop)).toEqual(['paid', 'paid', 'paid'])
  expect(await brokenInvariants()).toEqual({})
})

it('two processes that make the same charge use the same payment that the restored database lacks', async () => {
  await lostRenewal()
  await lost.toChargesBeforeRequest()
  const [payment] = await created()
  const charge = () => chargeAtProvider(tenant(), payment ? [payment] : [])
  const results = await Promise.allSettled([charge(), charge()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await runDueTasks(1000)
  expect(charges()).toHaveLength(1)
  expect(await lost.ordersOf(shop)).toEqual(['paid', 'paid'])
  expect(await lost.failures()).toEqual([])
})

it('after a crash at any commit, a repeated charge still uses the payment that the restored database lacks', async () => {
  await lostRenewal()
  await lost.toChargesBeforeRequest()
  const restore = await lost.backup(lost.renewalAt)
  let n = 1
  for (; ; n++) {
    await restore()
    if (!(await killedAt(n, 'after', () => runDueTasks(1000), decisive()))) break
    await expireLeases()
    await runDueTasks(1000)
    expect([n, charges().length, await lost.ordersOf(shop)]).toEqual([n, 1, ['paid', 'paid']])
    expect([n, await brokenInvariants()]).toEqual([n, {}])
  }
  expect(n).toBeGreaterThan(4)
})

it('a charge does not use a payment of another storefront or of another provider account', async () => {
  await lostRenewal(2)
  const { storefrontId } = await lost.aLiveShop()
  const [first, second] = charges().map(({ ref }) => ref)
  await db().unknown_payments.updateMany({ where: { ref: first ?? '' }, data: { storefront_id: storefrontId } })
  await db().unknown_payments.updateMany({
    where: { ref: second ?? '' },
    data: { provider: `${provider.name}-another` },
  })
  await runDueTasks(1000)
  expect(charges()).toHaveLength(4)
})

it('the command "restore compare" fails if the time is invalid or a provider does not respond', async () => {
  const since = 'restore compare --since'
  for (const time of ['2027-02-10', '2100-01-01T00:00:00Z'])
    expect((await isRefused(`${since} ${time}`)).message).toContain('--since: Must be the time of the backup')
  expect((await isRefused('restore release --provider stripe --ref pi_1')).message).toContain('no such payment')
  provider.failNext(500, { method: 'GET', times: 10 })
  expect(await cli(`${since} ${lost.backupAt} --json`)).toMatchObject({ status: 2, stdout: '' })
})

it('the command "restore compare" accepts the time in the name of a backup file, which has hyphens instead of colons', async () => {
  await lostRenewal()
  const inFileName = lost.backupAt.replaceAll(':', '-')
  expect(inFileName).toBe('2027-02-10T10-00-00Z')
  const found = await answer(`restore compare --since ${inFileName} --json`)
  expect(found).toHaveLength(1)
  expect(found).toEqual(await compare())
})

const tenant = () => ({ storefrontId: shop.storefrontId, testmode: false })
async function created() {
  const rows = await db().payments.findMany({ where: { status: 'created' }, select: { id: true } })
  const ids = rows.map(({ id }) => id)
  return findPayments(db(), tenant(), ids)
}
