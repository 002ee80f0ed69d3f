import { afterAll, beforeEach, expect, it } from 'vitest'
import { dayAndTime } from '../../kernel/format.ts'
import { db } from '../../platform/db/db.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { advanceWithoutTasks } from '../../testing/scenarios.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { listEmails } from '../emails/operations.ts'
import { createMember } from '../operators/operations.ts'
import {
  changeAccount,
  changeAccountTyped,
  payoutAccounts,
  stopAccountChange,
  stopAccountChangeTyped,
} from './accounts.ts'

let shop: Shop
beforeEach(async () => {
  shop = await aShop()
  const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
  const password = 'correct horse battery'
  for (const role of ['owner', 'accountant', 'developer'] as const)
    await createMember({ password, role, merchantId, email: `${role}@${shop.storefrontId.slice(-8)}.example` })
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const dutch = { holder: 'Lumen Software B.V.', iban: 'NL91 ABNA 0417 1643 00' }
const german = { holder: 'Lumen GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }
const days = (count: number) => advanceWithoutTasks({ shop }, { days: count })
const ibans = async () => {
  const { current, pending } = await payoutAccounts(shop.scope)
  return [current?.iban ?? null, pending?.iban ?? null]
}
const emails = async () =>
  (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'payout_account_changed').reverse()

it('payouts go to the previous bank account until the waiting period of a new bank account is over', async () => {
  expect(await ibans()).toEqual([null, null])
  await changeAccount(shop.scope, dutch)
  expect(await ibans()).toEqual([null, 'NL91****4300'])
  await days(3)
  expect(await ibans()).toEqual(['NL91****4300', null])
  await changeAccount(shop.scope, german)
  await days(2)
  expect(await ibans()).toEqual(['NL91****4300', 'DE89****3000'])
  await days(1)
  expect(await ibans()).toEqual(['DE89****3000', null])
})

it('owners get an email with the new bank account, its first day of use, and how to stop the change', async () => {
  const { validFrom } = await changeAccount(shop.scope, dutch)
  const [email, ...others] = await emails()
  expect([email?.to.split('@')[0], others]).toEqual(['owner', []])
  const text = read(email?.text ?? '')
  const firstUse = read(dayAndTime(validFrom, 'en'))
  for (const said of [
    'NL91****4300',
    `From ${firstUse} on, payouts`,
    'Stop this change',
    `/admin/test/${shop.storefrontId}/balance/account`,
  ])
    expect(text).toContain(said)
  expect(text).not.toContain('0417')
})

it('an owner can stop a change of the bank account only during the waiting period', async () => {
  await changeAccount(shop.scope, dutch)
  await days(3)
  await changeAccount(shop.scope, german)
  expect(await stopAccountChange(shop.scope)).toMatchObject({ iban: 'DE89****3000' })
  await days(4)
  expect(await ibans()).toEqual(['NL91****4300', null])
  await expect(stopAccountChange(shop.scope)).rejects.toMatchObject({ code: 'validation_failed' })
})

it('entering the pending or the current bank details again changes nothing and sends no second email', async () => {
  const first = await changeAccount(shop.scope, dutch)
  expect(await changeAccount(shop.scope, dutch)).toEqual(first)
  await days(3)
  expect(await changeAccount(shop.scope, dutch)).toEqual(first)
  expect(await emails()).toHaveLength(1)
  expect(await db().payout_accounts.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
})

it('parallel changes of the bank account leave one pending change', async () => {
  const sql = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
  const ends = await raceBehind(
    { sql, values: [`payout_accounts ${shop.storefrontId} true`] },
    [dutch, german, dutch, german].map((details) => () => changeAccount(shop.scope, details)),
  )
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  const kept = await db().payout_accounts.findMany({ where: { storefront_id: shop.storefrontId } })
  expect(kept.filter(({ stopped_at }) => stopped_at === null)).toHaveLength(1)
})

it('bank details are stored encrypted, and the audit log contains neither the account number nor the name', async () => {
  await changeAccountTyped(shop.scope, german)
  await stopAccountChangeTyped(shop.scope)
  const [row] = await db().payout_accounts.findMany({ where: { storefront_id: shop.storefrontId } })
  const entries = await db().audit_entries.findMany({ where: { subject: shop.storefrontId }, orderBy: { seq: 'asc' } })
  expect(entries.map(({ action }) => action)).toEqual([
    'storefront.create',
    'payout_account.change',
    'payout_account.stop',
  ])
  const stored = Buffer.from(row?.sealed ?? []).toString('latin1') + JSON.stringify(entries.map(({ after }) => after))
  for (const secret of ['3000', 'Lumen', 'COBADEFF']) expect(stored).not.toContain(secret)
})

it('a bank account is shown only in its own storefront and mode', async () => {
  await changeAccount({ ...shop.scope, testmode: false }, dutch)
  expect(await ibans()).toEqual([null, null])
  expect(await payoutAccounts((await aShop()).scope)).toEqual({ current: null, pending: null })
  await expect(changeAccount({ storefrontId: 'storefront_x', testmode: true }, dutch)).rejects.toMatchObject({
    code: 'validation_failed',
  })
})
