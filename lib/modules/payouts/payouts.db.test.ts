import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { isRefused } from '../../testing/command-line.ts'
import { configure } from '../../testing/configure.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aSale, balanceOf, type Sale } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { listEntries } from '../ledger/operations.ts'
import { changeAccount } from './accounts.ts'
import { exportedBefore, exportPayouts, writeExport } from './export.ts'
import { createPayout, listPayouts, movePayout, movePayoutsTyped, requestPayout } from './operations.ts'

// Each parallel call needs its own database connection.
configure({ DATABASE_POOL: '20' })

let sale: Sale
let scope: { testmode: boolean; storefrontId: string }
beforeEach(async () => {
  sale = await aSale({ price: '100.00' })
  scope = { testmode: true, storefrontId: sale.shop.storefrontId }
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const dutch = { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' }
const german = { holder: 'Lumen GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }
const days = (count: number) => advanceWithoutTasks(sale, { days: count })
async function withAccount() {
  await changeAccount(sale.tenant, dutch)
  await days(3)
}
const ask = async (amount: string, reference?: string) => requestPayout(sale.tenant, { amount, reference })
const statuses = async () => (await listPayouts(sale.tenant)).map(({ amount, status }) => `${amount} ${status}`)
const exported = () => exportPayouts(scope)
const refusedExport = (sentence: string) =>
  expect(exported()).rejects.toMatchObject({ on: { payouts: [expect.stringContaining(sentence)] } })
const amountsIn = (file: string) => [...file.matchAll(/<InstdAmt Ccy="EUR">([\d.]+)</g)].map(([, amount]) => amount)
const causes = async () =>
  (await listEntries(sale.tenant)).flatMap(({ cause, account, amount }) =>
    account === 'merchant_balance' && cause.startsWith('payout') ? `${cause} ${amount}` : [],
  )

describe('requested payouts', () => {
  it('a payout request immediately deducts the amount from the balance, and one bank file contains the payout', async () => {
    await withAccount()
    expect(await ask('50.00', 'November')).toMatchObject({ balance: '44.50' })
    expect(await ask('50.00', 'November')).toMatchObject({ balance: '44.50' })
    await ask('4.50')
    const { batch, isNew } = await exported()
    expect([isNew, batch.count, batch.total]).toEqual([true, 2, 5450n])
    expect(amountsIn(batch.file ?? '')).toEqual(['50.00', '4.50'])
    expect(batch.file).toContain('<Ustrd>Payout November</Ustrd>')
    expect(await statuses()).toEqual(['4.50 exported', '50.00 exported'])
    expect(await exported()).toEqual({ batch, isNew: false })
    expect(await exportedBefore(batch.id)).toEqual({ batch, isNew: false })
    expect(await causes()).toEqual(['payout.created 4.50', 'payout.created 50.00'])
  })

  it('the next bank file is made only after the payouts of the last file are confirmed', async () => {
    await withAccount()
    await ask('10.00')
    const first = await exported()
    await ask('20.00')
    expect((await exported()).batch.id).toBe(first.batch.id)
    await movePayoutsTyped({ batchId: first.batch.id }, 'confirm')
    const second = await exported()
    expect(amountsIn(second.batch.file ?? '')).toEqual(['20.00'])
    expect(second.batch.file).not.toContain(/<MsgId>(\w+)</.exec(first.batch.file ?? '')?.[1])
    expect((await exportedBefore(first.batch.id)).batch.file).toBe(first.batch.file)
    await movePayoutsTyped({ batchId: second.batch.id }, 'confirm')
    await refusedExport('There is no requested payout.')
  })

  it('a payout waits if no bank account is set, and goes to the previous account during the waiting period of a new account', async () => {
    await ask('10.00')
    await refusedExport('None of the requested payouts has a bank account.')
    await changeAccount(sale.tenant, dutch)
    await days(2)
    await refusedExport('None of the requested payouts has a bank account.')
    await days(1)
    await changeAccount(sale.tenant, german)
    const { batch } = await exported()
    expect(batch.file).toContain(dutch.iban)
    expect(batch.file).not.toContain(german.iban)
    await movePayoutsTyped({ batchId: batch.id }, 'confirm')
    await days(3)
    await ask('20.00')
    expect((await exported()).batch.file).toContain(german.iban)
  })

  it('a payout of a suspended storefront is exported only after the suspension is lifted', async () => {
    await withAccount()
    await ask('10.00')
    const suspend = (at: Date | null) =>
      db().storefronts.update({
        where: { id: sale.shop.storefrontId },
        data: { suspended_at: at, suspended_reason: at && 'Fraud' },
      })
    await suspend(new Date())
    await refusedExport('There is no requested payout.')
    expect(await statuses()).toEqual(['10.00 requested'])
    await suspend(null)
    expect((await exported()).batch.count).toBe(1)
  })

  it('a canceled or returned payout is added to the balance, and an exported payout cannot be canceled', async () => {
    await withAccount()
    const [first, second, third] = [await ask('10.00'), await ask('20.00'), await ask('30.00')]
    for (const _ of [1, 2])
      expect(await movePayout(sale.tenant, first.payoutId, 'cancel')).toMatchObject({ status: 'canceled' })
    expect(await balanceOf(sale)).toMatchObject({ merchant_balance: '-44.50', payouts: '-50.00' })
    await exported()
    await expect(movePayout(sale.tenant, second.payoutId, 'cancel')).rejects.toMatchObject({ code: 'illegal_move' })
    await movePayout(sale.tenant, second.payoutId, 'confirm')
    for (const { payoutId } of [second, third])
      for (const _ of [1, 2])
        expect(await movePayout(sale.tenant, payoutId, 'return')).toMatchObject({ status: 'returned' })
    await expect(movePayout(sale.tenant, third.payoutId, 'confirm')).rejects.toMatchObject({ code: 'illegal_move' })
    const { payouts, ...books } = await balanceOf(sale)
    expect([books.merchant_balance, payouts ?? '0.00']).toEqual(['-94.50', '0.00'])
    expect((await causes()).sort()).toEqual([
      ...['payout.canceled -10.00', 'payout.created 10.00', 'payout.created 20.00', 'payout.created 30.00'],
      ...['payout.returned -20.00', 'payout.returned -30.00'],
    ])
  })

  it('a payout request is refused if it exceeds the balance, is not in EUR, or has the reference of an existing payout', async () => {
    await expect(ask('94.51')).rejects.toMatchObject({ on: { amount: [expect.any(String)] } })
    await expect(requestPayout(sale.tenant, { amount: '1.00', currency: 'USD' })).rejects.toMatchObject({
      on: { currency: [expect.stringContaining('EUR')] },
    })
    await createPayout(sale.tenant, { amount: '5.00', reference: 'T-1' })
    await expect(ask('5.00', 'T-1')).rejects.toMatchObject({
      on: { reference: ['Must be unique: a different payout has this reference.'] },
    })
    expect(await statuses()).toEqual(['5.00 paid'])
  })

  it('a payout reference can be reused only after its payout is canceled or returned', async () => {
    await withAccount()
    const first = await ask('10.00', '2026-11')
    expect(await ask('10.00', '2026-11')).toMatchObject({ payoutId: first.payoutId, isNew: false })
    await movePayout(sale.tenant, first.payoutId, 'cancel')
    const second = await ask('10.00', '2026-11')
    expect(second).toMatchObject({ balance: '84.50', isNew: true })
    await exported()
    await movePayout(sale.tenant, second.payoutId, 'return')
    expect(await createPayout(sale.tenant, { amount: '20.00', reference: '2026-11' })).toMatchObject({ isNew: true })
    expect(await statuses()).toEqual(['20.00 paid', '10.00 returned', '10.00 canceled'])
    await expect(ask('10.00', '2026-11')).rejects.toMatchObject({
      on: { reference: ['Must be unique: a different payout has this reference.'] },
    })
  })

  it('a payout is found only in its own storefront and mode', async () => {
    const { payoutId } = await ask('10.00')
    const other = await aSale({ price: '10.00' })
    for (const tenant of [other.tenant, { ...sale.tenant, testmode: false }])
      for (const move of ['confirm', 'return', 'cancel'] as const)
        await expect(movePayout(tenant, payoutId, move)).rejects.toMatchObject({ code: 'not_found' })
    await withAccount()
    await expect(exportPayouts({ testmode: true, storefrontId: other.shop.storefrontId })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    for (const wrong of [
      { testmode: false, storefrontId: sale.shop.storefrontId },
      { testmode: true, storefrontId: null },
    ])
      await expect(exportPayouts(wrong)).rejects.toMatchObject({ on: { storefront: [expect.any(String)] } })
    await expect(exportPayouts({ testmode: false, storefrontId: null })).rejects.toMatchObject({
      on: { payouts: ['There is no requested payout.'] },
    })
  })
})

it('`payout export` names the character of the seller’s name that banks refuse, and names no flag of the command', async () => {
  await withAccount()
  await ask('10.00')
  configure({ SELLER_NAME: 'Lumen #1 B.V.' })
  onTestFinished(() => configure({ SELLER_NAME: undefined }))
  const command = `payout export --out /tmp/never.xml --mode test --storefront ${sale.shop.storefrontId}`
  expect((await isRefused(command)).message).toMatch(
    /^payer: Banks do not accept the character # in SELLER_NAME\. Use only Latin letters .*\.$/,
  )
})

describe('parallel calls', () => {
  const exportLock = { sql: `SELECT pg_advisory_xact_lock(hashtextextended('payout_batches', 0))` }

  it('parallel exports make one bank file, which contains each payout exactly once', async () => {
    await withAccount()
    for (const amount of ['1.00', '2.00', '3.00']) await ask(amount)
    const ends = await raceBehind(
      exportLock,
      Array.from({ length: 8 }, () => exported),
    )
    const files = ends.map((end) => (end.status === 'fulfilled' ? end.value.batch.file : String(end.reason)))
    expect(new Set(files).size).toBe(1)
    expect(amountsIn(files[0] ?? '')).toEqual(['1.00', '2.00', '3.00'])
    expect(ends.filter((end) => end.status === 'fulfilled' && end.value.isNew)).toHaveLength(1)
    expect(await db().payout_batches.count({ where: { storefront_id: sale.shop.storefrontId } })).toBe(1)
  })

  it('a parallel export and cancellation of a payout never leave a canceled payout in a bank file', async () => {
    await withAccount()
    const { payoutId } = await ask('10.00')
    const sql = 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE'
    const [file, canceled] = await raceBehind<unknown>({ sql, values: [payoutId] }, [
      exported,
      () => movePayout(sale.tenant, payoutId, 'cancel'),
    ])
    const [payout] = await listPayouts(sale.tenant)
    expect([file?.status, canceled?.status]).toEqual(
      payout?.status === 'canceled' ? ['rejected', 'fulfilled'] : ['fulfilled', 'rejected'],
    )
    expect(payout?.batchId === null).toBe(payout?.status === 'canceled')
  })

  it('parallel returns of a payout add its amount to the balance exactly once', async () => {
    await withAccount()
    const { payoutId } = await ask('10.00')
    await exported()
    const sql = 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE'
    const ends = await raceBehind(
      { sql, values: [payoutId] },
      Array.from({ length: 6 }, () => () => movePayout(sale.tenant, payoutId, 'return')),
    )
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await causes()).toEqual(['payout.returned -10.00', 'payout.created 10.00'])
  })
})

it('an exported bank file is complete and readable only by its owner, and the copy in the database is encrypted', async () => {
  await withAccount()
  await ask('10.00')
  const made = await exported()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'billhook-payouts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const out = path.join(folder, 'payouts.xml')
  for (const _ of [1, 2]) {
    expect(await writeExport(made, out)).toMatchObject({ payments: 1, total: '10.00', currency: 'EUR', file: out })
    expect(await readFile(out, 'utf8')).toBe(made.batch.file)
    expect((await stat(out)).mode & 0o777).toBe(0o600)
  }
  await expect(writeExport(made, path.join(out, 'x'))).rejects.toMatchObject({ on: { out: [expect.any(String)] } })
  const { sealed } = await db().payout_batches.findUniqueOrThrow({ where: { id: made.batch.id } })
  expect(Buffer.from(sealed).toString('latin1')).not.toContain('ABNA')
})
