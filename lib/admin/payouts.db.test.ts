import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { changeAccount } from '../modules/payouts/accounts.ts'
import { exportPayouts } from '../modules/payouts/export.ts'
import { listPayouts } from '../modules/payouts/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aSale, type Sale } from '../testing/money-back.ts'
import { aMember, anOperator, freshCodeOf } from '../testing/operator.ts'
import { advanceWithoutTasks } from '../testing/scenarios.ts'
import * as admin from './pages.ts'

let sale: Sale
let owner: string | null
let number = 0
beforeEach(async () => {
  sale = await aSale({ price: '100.00' })
  owner = (await aMember(`payee${++number}@example.com`, await merchantId(), 'owner')).cookies
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const merchantId = async () =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: sale.shop.storefrontId } })).merchant_id
const at = (mode = 'test') => ({ mode, storefrontId: sale.shop.storefrontId })
const withAccount = () => changeAccount(sale.tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
const submit = async (fields: Record<string, string>, cookies = owner) =>
  admin.submitPayouts(at(), new URLSearchParams({ key: crypto.randomUUID(), ...fields }), cookies)
const request = async (fields: Record<string, string> = {}, cookies = owner) =>
  submit({ intent: 'request', amount: '94,50', code: await freshCodeOf(cookies), ...fields }, cookies)
const page = (form: string | null = null, cookies = owner) => admin.payoutsPage(at(), { form }, cookies)
const statuses = async () => (await listPayouts(sale.tenant)).map(({ amount, status }) => `${amount} ${status}`)

type Next = { readonly redirectTo: string; readonly cookie?: string } | null
const queryOf = (next: Next) => new URL(next?.redirectTo ?? '', 'http://localhost').searchParams
const doneOf = (next: Next) => queryOf(next).get('done')
async function problemsOf(next: Next) {
  const left = next?.cookie?.split(';')[0]
  return (await page(queryOf(next).get('form'), left ? `${owner}; ${left}` : owner))?.request?.problems
}

describe('the payouts of a merchant', () => {
  test('an owner sees the available amount and requests one payout with a second-factor code', async () => {
    await withAccount()
    expect(await page()).toMatchObject({
      parts: [{ currency: 'EUR', balance: { value: '94.50' }, available: { value: '94.50' }, held: { value: '0.00' } }],
      next: null,
      request: { amount: '94.50', mayBook: false },
    })
    const sent = { key: crypto.randomUUID() }
    for (const _ of [1, 2]) expect(doneOf(await request(sent))).toBe('requested')
    expect(await statuses()).toEqual(['94.50 requested'])
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'payout.request', actor: { kind: 'member' } })
    expect(await problemsOf(await request({ amount: '0,01' }))).toEqual({ amount: expect.any(String) })
  })

  test('a payout request needs a second-factor code, an amount, and a bank account', async () => {
    expect(await problemsOf(await request())).toEqual({ amount: expect.stringContaining('bank account') })
    await withAccount()
    expect(await problemsOf(await request({ code: '000000' }))).toEqual({ code: expect.any(String) })
    for (const amount of ['', '0', '-1', 'all', '94.51', '1e3', '1.000'])
      expect(await problemsOf(await request({ amount })), amount).toEqual({ amount: expect.any(String) })
    expect(await problemsOf(await request({ currency: 'USD' }))).toEqual({ currency: expect.any(String) })
    expect(await statuses()).toEqual([])
  })

  test('the merchant of a suspended storefront cannot request a payout, but staff can request a payout for the merchant', async () => {
    await withAccount()
    await db().storefronts.update({
      where: { id: sale.shop.storefrontId },
      data: { suspended_at: new Date(), suspended_reason: 'Fraud' },
    })
    expect(queryOf(await request()).get('failed')).toBe('storefront_suspended')
    expect(await statuses()).toEqual([])
    const staff = await anOperator(`staff${number}@example.com`)
    expect(doneOf(await request({ amount: '1.00' }, staff.cookies))).toBe('requested')
  })

  test('a submitted payout form has no effect if the value of its button is unknown, even if staff submit the form', async () => {
    await withAccount()
    const staff = (await anOperator(`books${number}@example.com`)).cookies
    const redirectTo = `/admin/test/${sale.shop.storefrontId}/payouts`
    for (const intent of ['anything', '', 'Book', 'create'])
      expect(await request({ intent, amount: '1.00' }, staff), intent).toEqual({ redirectTo })
    expect(await statuses()).toEqual([])
    expect(doneOf(await request({ intent: 'book', amount: '1.00' }, staff))).toBe('paidOut')
    expect(await statuses()).toEqual(['1.00 paid'])
  })

  test('canceling a requested payout returns its amount to the balance', async () => {
    await withAccount()
    await request()
    const [row] = (await page())?.list.rows ?? []
    expect(row).toMatchObject({ status: 'requested', moves: ['cancel'] })
    for (const _ of [1, 2]) expect(doneOf(await submit({ intent: 'cancel', payout: row?.id ?? '' }))).toBe('cancel')
    expect(await page()).toMatchObject({ parts: [{ available: { value: '94.50' } }] })
    for (const intent of ['confirm', 'return', 'book', 'anything'])
      expect(await submit({ intent, payout: row?.id ?? '' }), intent).toBeNull()
  })

  test('an owner sets a payout schedule, and sees the next payout day and the estimated amount', async () => {
    expect(doneOf(await submit({ intent: 'schedule', schedule: 'week-1' }))).toBe('schedule')
    expect(await page()).toMatchObject({
      schedule: { every: 'week', day: 1 },
      next: { at: '2026-12-07T00:00:00Z', estimate: { value: '94.50', currency: 'EUR' } },
    })
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'payout.schedule', after: { schedule: 'week-1' } })
    await submit({ intent: 'schedule', schedule: 'week-9' })
    expect(await page()).toMatchObject({ schedule: { every: 'week', day: 1 } })
    expect(doneOf(await submit({ intent: 'schedule', schedule: 'manual' }))).toBe('schedule')
    expect(await page()).toMatchObject({ schedule: null, next: null })
  })

  test('the page of a requested payout shows the ledger entries and the month of the payout, and no bank account', async () => {
    await withAccount()
    await advanceWithoutTasks(sale, { days: 3 })
    await request()
    const id = (await page())?.list.rows[0]?.id ?? ''
    expect(await admin.payoutPage(at(), id, owner)).toMatchObject({
      payout: { amount: { value: '94.50' } },
      month: '2026-12',
      iban: null,
      entries: [{ cause: 'payout.created' }, { cause: 'payout.created' }],
    })
    const other = await aSale({ price: '1.00' })
    const otherPlace = { mode: 'test', storefrontId: other.shop.storefrontId }
    expect(await admin.payoutPage(otherPlace, id, owner)).toBeNull()
    expect(await admin.payoutPage(at('live'), id, owner)).toBeNull()
  })

  test('the page of an exported payout shows the masked IBAN to which the payout was sent', async () => {
    await withAccount()
    await advanceWithoutTasks(sale, { days: 3 })
    await request()
    await exportPayouts({ testmode: true, storefrontId: sale.shop.storefrontId })
    await changeAccount(sale.tenant, { holder: 'Lumen GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' })
    await advanceWithoutTasks(sale, { days: 3 })
    const id = (await page())?.list.rows[0]?.id ?? ''
    expect(await admin.payoutPage(at(), id, owner)).toMatchObject({
      payout: { status: 'exported' },
      iban: 'NL91****4300',
    })
  })

  test('an accountant can read but not change payouts, and a support member sees no payouts', async () => {
    await withAccount()
    const { cookies } = await aMember(`books${number}@example.com`, await merchantId(), 'accountant')
    expect(await page(null, cookies)).toMatchObject({ request: null, scheduleKey: null })
    expect(await request({}, cookies)).toBeNull()
    expect(await submit({ intent: 'schedule', schedule: 'week-1' }, cookies)).toBeNull()
    const support = await aMember(`help${number}@example.com`, await merchantId(), 'support')
    expect(await page(null, support.cookies)).toBeNull()
    expect(await statuses()).toEqual([])
  })
})
