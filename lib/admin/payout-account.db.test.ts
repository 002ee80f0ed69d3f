import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { db } from '../platform/db/db.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember } from '../testing/operator.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import * as admin from './pages.ts'

let shop: Shop
let owner: Awaited<ReturnType<typeof aMember>>
let number = 0
beforeEach(async () => {
  shop = await aShop()
  owner = await aMember(`owner${++number}@example.com`, await merchantOf(shop), 'owner')
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const merchantOf = async ({ storefrontId }: Shop) =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: storefrontId } })).merchant_id
const at = () => ({ mode: 'live', storefrontId: shop.storefrontId })
const account = { holder: 'Lumen Software B.V.', iban: 'NL91 ABNA 0417 1643 00', bic: '' }
const submit = async (fields: Record<string, string>, cookies = owner.cookies) =>
  admin.submitPayoutAccount(at(), new URLSearchParams({ key: crypto.randomUUID(), ...fields }), cookies)
const change = (fields: Record<string, string>) => submit({ intent: 'change', ...account, ...fields })
const page = (form: string | null = null, cookies: string | null = owner.cookies) =>
  admin.payoutAccountPage(at(), form, cookies)

type Next = { readonly redirectTo: string; readonly cookie?: string } | null
const queryOf = (next: Next) => new URL(next?.redirectTo ?? '', 'http://localhost').searchParams
async function problemsOf(next: Next) {
  const left = next?.cookie?.split(';')[0]
  return page(queryOf(next).get('form'), left ? `${owner.cookies}; ${left}` : owner.cookies)
}

describe('the bank account of a storefront', () => {
  test('an owner changes the bank details with a second-factor code, and cancels the change without a code', async () => {
    const sent = { code: owner.recoveryCodes[0] ?? '', key: crypto.randomUUID() }
    for (const _ of [1, 2]) expect(queryOf(await change(sent)).get('done')).toBe('changed')
    expect(await page()).toMatchObject({
      current: null,
      pending: { holder: account.holder, iban: 'NL91****4300' },
      mayChange: true,
    })
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({
      action: 'payout_account.change',
      actor: { kind: 'member' },
      subject: shop.storefrontId,
    })
    expect(JSON.stringify(entry?.after)).not.toMatch(/4300|Lumen/)
    expect(await db().payout_accounts.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)

    expect(queryOf(await submit({ intent: 'stop' })).get('done')).toBe('stopped')
    expect(await page()).toMatchObject({ current: null, pending: null })
    expect(queryOf(await submit({ intent: 'stop' })).get('done')).toBeNull()
  })

  test('a change of bank details needs a new second-factor code, and refused details do not use up the code', async () => {
    const [code = ''] = owner.recoveryCodes
    for (const wrong of ['', '000000', 'recovery'])
      expect(await problemsOf(await change({ code: wrong }))).toMatchObject({
        problems: { code: expect.any(String) },
        typed: { holder: account.holder, iban: account.iban },
      })
    expect(await problemsOf(await change({ code, iban: 'NL91', holder: '' }))).toMatchObject({
      problems: { iban: expect.any(String), holder: expect.any(String) },
    })
    expect(await db().payout_accounts.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
    expect(queryOf(await change({ code })).get('done')).toBe('changed')
    expect(await problemsOf(await change({ code, holder: 'Umbra' }))).toMatchObject({
      problems: { code: expect.any(String) },
    })
  })

  test('an accountant can see the bank details, but only an owner can change them', async () => {
    const merchant = await merchantOf(shop)
    const accountant = await aMember(`accountant${number}@example.com`, merchant, 'accountant')
    expect(await page(null, accountant.cookies)).toMatchObject({ mayChange: false })
    const stranger = await aMember(`stranger${number}@example.com`, await merchantOf(await aShop()), 'owner')
    for (const { cookies, recoveryCodes } of [accountant, stranger])
      expect(await submit({ intent: 'change', ...account, code: recoveryCodes[0] ?? '' }, cookies)).toBeNull()
    expect(await page(null, stranger.cookies)).toBeNull()
  })
})
