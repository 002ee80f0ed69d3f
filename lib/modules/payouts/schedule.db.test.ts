import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, type Sale } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { drainTasks, pass } from '../../testing/subscription-scenario.ts'
import { changeAccount } from './accounts.ts'
import { listPayouts, requestPayout } from './operations.ts'
import { payoutSchedule, runSchedule, setSchedule } from './schedule.ts'
import { scheduledPayout } from './tasks.ts'

// Every racer has a connection of its own.
configure({ DATABASE_POOL: '20' })

let sale: Sale
// Sold on Tuesday, 2026-12-01: 94.50 is released, since test mode has no hold.
beforeEach(async () => {
  sale = await aSale({ price: '100.00' })
})
afterEach(async () => expect(await brokenInvariants()).toEqual({}))

const withAccount = () => changeAccount(sale.tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
const payouts = async () =>
  (await listPayouts(sale.tenant)).map(
    ({ amount, status, createdAt }) => `${createdAt.slice(0, 10)} ${amount} ${status}`,
  )
const schedule = () => payoutSchedule(sale.tenant)

describe('the schedule of payouts', () => {
  it('no schedule is set by default, and no payout is requested', async () => {
    await withAccount()
    expect(await schedule()).toEqual({ schedule: 'manual', nextAt: null })
    await pass(sale, 'P2M')
    expect(await payouts()).toEqual([])
  })

  it('a weekly schedule requests the released balance once, and no payout without a released balance', async () => {
    await withAccount()
    expect(await setSchedule(sale.tenant, 'week-1')).toEqual({ schedule: 'week-1', nextAt: '2026-12-07T00:00:00Z' })
    await pass(sale, 'P6D')
    expect(await payouts()).toEqual(['2026-12-07 94.50 requested'])
    await pass(sale, 'P14D')
    expect(await payouts()).toHaveLength(1)
    await aSale({ price: '10.00', shop: sale.shop })
    await pass(sale, 'P7D')
    expect(await payouts()).toEqual(['2026-12-28 9.00 requested', '2026-12-07 94.50 requested'])
    expect(await schedule()).toMatchObject({ nextAt: '2027-01-04T00:00:00Z' })
  })

  it('a monthly schedule requests on its day, and `manual` ends it', async () => {
    await withAccount()
    await setSchedule(sale.tenant, 'month-15')
    await pass(sale, 'P20D')
    expect(await payouts()).toEqual(['2026-12-15 94.50 requested'])
    expect(await setSchedule(sale.tenant, 'manual')).toEqual({ schedule: 'manual', nextAt: null })
    await aSale({ price: '10.00', shop: sale.shop })
    await pass(sale, 'P2M')
    expect(await payouts()).toHaveLength(1)
  })

  it('a changed schedule requests no payout on the previous day of the schedule', async () => {
    await withAccount()
    for (const name of ['week-1', 'month-20', 'week-1', 'month-20']) await setSchedule(sale.tenant, name)
    await pass(sale, 'P18D')
    expect(await payouts()).toEqual([])
    await pass(sale, 'P1D')
    expect(await payouts()).toEqual(['2026-12-20 94.50 requested'])
  })

  it('no payout is requested before a bank account is in effect, or while the storefront is suspended', async () => {
    await setSchedule(sale.tenant, 'week-3')
    await pass(sale, 'P2D')
    await withAccount()
    const suspended = (at: Date | null) =>
      db().storefronts.update({
        where: { id: sale.shop.storefrontId },
        data: { suspended_at: at, suspended_reason: at && 'Fraud' },
      })
    await suspended(new Date())
    await pass(sale, 'P7D')
    expect(await payouts()).toEqual([])
    await suspended(null)
    await pass(sale, 'P7D')
    expect(await payouts()).toEqual(['2026-12-16 94.50 requested'])
  })

  it('a schedule moves on although the clock of the process is behind the database, which started the task', async () => {
    const live = { ...sale.tenant, testmode: false }
    const { nextAt } = await setSchedule(live, 'week-1')
    const at = nextAt ?? ''
    const where = { name: scheduledPayout.name, storefront_id: sale.shop.storefrontId, testmode: false }
    const { id, claim_version } = await db().tasks.findFirstOrThrow({ where })
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) - 1_500 })
    await runSchedule({ ...live, claim: { taskId: id, claimVersion: claim_version } }, { at })
    expect(Date.parse((await payoutSchedule(live)).nextAt ?? '') - Date.parse(at)).toBe(7 * 86_400_000)
  })

  it('an unknown schedule is refused and changes nothing', async () => {
    await setSchedule(sale.tenant, 'week-1')
    for (const name of ['', 'week-8', 'month-29', 'daily'])
      await expect(setSchedule(sale.tenant, name)).rejects.toMatchObject({ on: { schedule: [expect.any(String)] } })
    expect(await schedule()).toMatchObject({ schedule: 'week-1' })
  })

  it('a schedule does not affect other modes and storefronts', async () => {
    const other = await aSale({ price: '10.00' })
    await setSchedule(sale.tenant, 'week-1')
    for (const tenant of [other.tenant, { ...sale.tenant, testmode: false }])
      expect(await payoutSchedule(tenant)).toEqual({ schedule: 'manual', nextAt: null })
  })
})

describe('concurrent payouts', () => {
  /** Runs the due task of a schedule like a worker. */
  async function dueRun() {
    await withAccount()
    const { nextAt } = await setSchedule(sale.tenant, 'week-1')
    await advanceWithoutTasks(sale, { days: 6 })
    const where = { name: scheduledPayout.name, storefront_id: sale.shop.storefrontId }
    const { id, claim_version } = await db().tasks.findFirstOrThrow({ where })
    const claim = { taskId: id, claimVersion: claim_version }
    return () => runSchedule({ ...sale.tenant, claim }, { at: nextAt ?? '' })
  }

  it('a scheduled payout and parallel requests take the same balance once', async () => {
    const run = await dueRun()
    const request = () => requestPayout(sale.tenant, { amount: '94.50' })
    const lock = {
      sql: "SELECT 1 FROM ledger_accounts WHERE storefront_id = $1 AND account = 'merchant_balance' FOR UPDATE",
      values: [sale.shop.storefrontId],
    }
    const [scheduled, ...requested] = await raceBehind<unknown>(lock, [run, request, request])
    expect(scheduled?.status).toBe('fulfilled')
    expect(requested.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    expect((await listPayouts(sale.tenant)).map(({ amount }) => amount)).toEqual(['94.50'])
    expect(await balanceOf(sale)).toMatchObject({ payouts: '-94.50' })
  })

  it('parallel runs of a schedule request one payout', async () => {
    const run = await dueRun()
    const sql = 'SELECT 1 FROM payout_schedules WHERE storefront_id = $1 FOR UPDATE'
    await raceBehind({ sql, values: [sale.shop.storefrontId] }, [run, run, run])
    await drainTasks()
    expect(await payouts()).toEqual(['2026-12-07 94.50 requested'])
    expect(await schedule()).toMatchObject({ nextAt: '2026-12-14T00:00:00Z' })
  })
})
