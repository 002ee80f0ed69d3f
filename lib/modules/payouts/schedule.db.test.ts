import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
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

// Each parallel call needs its own database connection.
configure({ DATABASE_POOL: '20' })

let sale: Sale
// The sale is on Tuesday, 2026-12-01. Test mode has no hold, so the balance of 94.50 is released immediately.
beforeEach(async () => {
  sale = await aSale({ price: '100.00' })
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const withAccount = () => changeAccount(sale.tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
const payouts = async () =>
  (await listPayouts(sale.tenant)).map(
    ({ amount, status, createdAt }) => `${createdAt.slice(0, 10)} ${amount} ${status}`,
  )
const schedule = () => payoutSchedule(sale.tenant)

describe('schedule', () => {
  it('a storefront has no payout schedule by default and requests no payout', async () => {
    await withAccount()
    expect(await schedule()).toEqual({ schedule: 'manual', nextAt: null })
    await pass(sale, 'P2M')
    expect(await payouts()).toEqual([])
  })

  it('a weekly payout schedule requests the released balance on its day, unless the balance is zero', async () => {
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

  it('a monthly payout schedule requests a payout on its day, and a change to `manual` ends the schedule', async () => {
    await withAccount()
    await setSchedule(sale.tenant, 'month-15')
    await pass(sale, 'P20D')
    expect(await payouts()).toEqual(['2026-12-15 94.50 requested'])
    expect(await setSchedule(sale.tenant, 'manual')).toEqual({ schedule: 'manual', nextAt: null })
    await aSale({ price: '10.00', shop: sale.shop })
    await pass(sale, 'P2M')
    expect(await payouts()).toHaveLength(1)
  })

  it('a replaced payout schedule requests no payout', async () => {
    await withAccount()
    for (const name of ['week-1', 'month-20', 'week-1', 'month-20']) await setSchedule(sale.tenant, name)
    await pass(sale, 'P18D')
    expect(await payouts()).toEqual([])
    await pass(sale, 'P1D')
    expect(await payouts()).toEqual(['2026-12-20 94.50 requested'])
  })

  it('a payout schedule requests a payout only if a bank account is in effect and the storefront is not suspended', async () => {
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

  it('a weekly payout schedule sets its next run a week later, even if the clock of the process is behind the clock of the database', async () => {
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

  it('an unknown payout schedule is refused, and the current schedule is unchanged', async () => {
    await setSchedule(sale.tenant, 'week-1')
    for (const name of ['', 'week-8', 'month-29', 'daily'])
      await expect(setSchedule(sale.tenant, name)).rejects.toMatchObject({ on: { schedule: [expect.any(String)] } })
    expect(await schedule()).toMatchObject({ schedule: 'week-1' })
  })

  it('a payout schedule applies to one storefront and one mode', async () => {
    const other = await aSale({ price: '10.00' })
    await setSchedule(sale.tenant, 'week-1')
    for (const tenant of [other.tenant, { ...sale.tenant, testmode: false }])
      expect(await payoutSchedule(tenant)).toEqual({ schedule: 'manual', nextAt: null })
  })
})

describe('concurrent payouts', () => {
  async function dueRun() {
    await withAccount()
    const { nextAt } = await setSchedule(sale.tenant, 'week-1')
    await advanceWithoutTasks(sale, { days: 6 })
    const where = { name: scheduledPayout.name, storefront_id: sale.shop.storefrontId }
    const { id, claim_version } = await db().tasks.findFirstOrThrow({ where })
    const claim = { taskId: id, claimVersion: claim_version }
    return () => runSchedule({ ...sale.tenant, claim }, { at: nextAt ?? '' })
  }

  it('a scheduled payout and parallel requests pay out the balance exactly once', async () => {
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

  it('parallel runs of a payout schedule request one payout', async () => {
    const run = await dueRun()
    const sql = 'SELECT 1 FROM payout_schedules WHERE storefront_id = $1 FOR UPDATE'
    await raceBehind({ sql, values: [sale.shop.storefrontId] }, [run, run, run])
    await drainTasks()
    expect(await payouts()).toEqual(['2026-12-07 94.50 requested'])
    expect(await schedule()).toMatchObject({ nextAt: '2026-12-14T00:00:00Z' })
  })
})
