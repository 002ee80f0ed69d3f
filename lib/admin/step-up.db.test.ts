import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listEmails } from '../modules/emails/operations.ts'
import { confirmPath } from '../modules/operators/confirm.ts'
import { canConfirm, submitConfirm } from '../modules/operators/manage-sessions.ts'
import { formerOwnersOf } from '../modules/operators/members.ts'
import { type AdminAction, adminActions, announcedBy } from '../modules/operators/rules/admin-actions.ts'
import { payoutAccounts } from '../modules/payouts/accounts.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { allRows } from '../testing/all-rows.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator, freshCode } from '../testing/operator.ts'
import { aShop, type Shop } from '../testing/shop.ts'
import { ordersOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

let shop: Shop
let merchantId: string
let number = 0
type Person = Awaited<ReturnType<typeof aMember>>
let owner: Person
let other: Person
const address = (name: string) => `${name}${number}@example.com`

beforeEach(async () => {
  number++
  shop = await aShop()
  merchantId = (await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })).merchant_id
  owner = await aMember(address('owner'), merchantId, 'owner')
  other = await aMember(address('other'), merchantId, 'owner')
})
afterEach(async () => {
  vi.useRealTimers()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const at = (mode = 'live') => ({ mode, storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams({ key: crypto.randomUUID(), ...fields })
const queryOf = (next: { redirectTo: string } | null) =>
  new URL(next?.redirectTo ?? '', 'http://localhost').searchParams
const liveKey = async () => {
  const where = { storefront_id: shop.storefrontId, testmode: false, revoked_at: null, expires_at: null }
  return (await db().api_keys.findFirstOrThrow({ where })).id
}
const written = async () =>
  (await listEmails(shop.storefrontId, { testmode: false })).map(({ kind, to }) => `${kind} ${to}`).sort()

/** Every action that grants access or decides where money is sent. Each function sends the form of its action in the session of an owner. */
const guarded: Readonly<Partial<Record<AdminAction, (code: string) => Promise<{ redirectTo: string } | null>>>> = {
  'member.invite': (code) =>
    admin.submitMembers(
      at(),
      form({ intent: 'invite', email: address('new'), role: 'owner', language: 'en', code }),
      owner.cookies,
    ),
  'member.change_role': (code) =>
    admin.submitMembers(at(), form({ intent: 'role', id: other.operatorId, role: 'support', code }), owner.cookies),
  'member.remove': (code) =>
    admin.submitMembers(at('test'), form({ intent: 'remove', id: other.operatorId, code }), owner.cookies),
  'key.create': (code) =>
    admin.submitKeys(at(), form({ intent: 'issue', scope: 'full', expiresIn: '', code }), owner.cookies),
  'key.rotate': async (code) =>
    admin.submitKeys(at(), form({ intent: 'rotate', id: await liveKey(), code }), owner.cookies),
  'payout_account.change': (code) =>
    admin.submitPayoutAccount(
      at(),
      form({ intent: 'change', holder: 'Lumen', iban: 'NL91 ABNA 0417 1643 00', bic: '', code }),
      owner.cookies,
    ),
}

describe.each(Object.entries(guarded))('the guarded action %s needs a second-factor code', (name, send) => {
  const action = name as AdminAction

  test('an action that needs a second-factor code has no effect without a new code, and with a new code emails the recipients that are defined for the action', async () => {
    const used = await freshCode(owner.operatorId)
    await admin.submitKeys(at(), form({ intent: 'issue', scope: 'full', expiresIn: '', code: used }), owner.cookies)
    const before = await allRows()
    for (const code of ['', '000000', used]) {
      const next = await send(code)
      expect(queryOf(next).get('done')).toBeNull()
    }
    const { idempotency_keys: _, operators: __, sign_in_failures: ___, ...rows } = before
    expect(await allRows()).toMatchObject(rows)

    const known = await written()
    expect(queryOf(await send(await freshCode(owner.operatorId))).get('done')).not.toBeNull()
    const emails = announcedBy(action, false)
    const person = action === 'member.invite' ? address('new') : address('other')
    const owners = ['member.change_role', 'member.remove'].includes(action)
      ? [address('owner')]
      : [address('owner'), address('other')]
    const expected = [
      ...(emails.owners ? owners.map((to) => `${emails.owners} ${to}`) : []),
      ...(emails.person ? [`${emails.person} ${person}`] : []),
    ]
    // The issued key announced itself to the same owners, so only the additional copies of an email count.
    const added = (await written()).filter((each) => {
      const index = known.indexOf(each)
      if (index >= 0) known.splice(index, 1)
      return index < 0
    })
    expect(added).toEqual(expected.sort())
  })
})

test('the tests of second-factor codes include every merchant action that requires a code, except payouts', () => {
  const ofStorefronts = Object.entries(adminActions).filter(
    ([name, { form, stepUp }]) => stepUp === 'code' && form.startsWith('[mode]') && !name.startsWith('payout.'),
  )
  expect(Object.keys(guarded).sort()).toEqual(ofStorefronts.map(([name]) => name).sort())
})

describe('an intruder with the session of an owner and one code', () => {
  const days = (count: number) => Date.now() + count * 86_400_000
  const details = { intent: 'change', holder: 'Thief', iban: 'DE89 3704 0044 0532 0130 00', bic: '' }

  test('if an intruder in one owner’s account removes another owner, both owners are emailed about a later change of bank details', async () => {
    await admin.submitMembers(
      at(),
      form({ intent: 'remove', id: other.operatorId, code: await freshCode(owner.operatorId) }),
      owner.cookies,
    )
    expect(await formerOwnersOf(db(), shop.storefrontId)).toMatchObject([{ to: address('other') }])
    const code = await freshCode(owner.operatorId)
    await admin.submitPayoutAccount(at(), form({ ...details, code }), owner.cookies)
    const emails = await listEmails(shop.storefrontId, { testmode: false })
    const changed = emails.filter(({ kind }) => kind === 'payout_account_changed')
    expect(changed.map(({ to }) => to).sort()).toEqual([address('other'), address('owner')])
    const toFormer = changed.find(({ to }) => to === address('other'))
    expect(toFormer?.text).toMatch(/you were an owner of Lumen Software until/)
    expect(toFormer?.text).not.toContain('/admin/live/')
    const toOwner = changed.find(({ to }) => to === address('owner'))
    expect(toOwner?.text).toContain('Stop this change')
  })

  test('the waiting period of changed bank details restarts if an owner is removed or gets another role', async () => {
    const third = await aMember(address('third'), merchantId, 'owner')
    const code = await freshCode(owner.operatorId)
    await admin.submitPayoutAccount(at(), form({ ...details, code }), owner.cookies)
    const tenant = { storefrontId: shop.storefrontId, testmode: false }
    const first = (await payoutAccounts(tenant)).pending?.validFrom ?? ''
    const ago = async (ms: number) =>
      db().$executeRaw`
        UPDATE payout_accounts SET created_at = created_at - ${ms} * interval '1 ms', valid_from = valid_from - ${ms} * interval '1 ms'
        WHERE storefront_id = ${shop.storefrontId}`
    await ago(86_400_000)
    const earlier = (await payoutAccounts(tenant)).pending?.validFrom ?? ''
    expect(earlier < first).toBe(true)
    for (const change of [
      { intent: 'role', id: other.operatorId, role: 'support' },
      { intent: 'remove', id: third.operatorId },
    ]) {
      await admin.submitMembers(at(), form({ ...change, code: await freshCode(owner.operatorId) }), owner.cookies)
      expect(((await payoutAccounts(tenant)).pending?.validFrom ?? '') >= first).toBe(true)
      await ago(86_400_000)
    }
    // Removing a member who is not an owner does not restart the waiting period of the new bank account.
    const before = await payoutAccounts(tenant)
    await admin.submitMembers(
      at(),
      form({ intent: 'remove', id: other.operatorId, code: await freshCode(owner.operatorId) }),
      owner.cookies,
    )
    expect(await payoutAccounts(tenant)).toEqual(before)
  })

  test('former owners are emailed only for `PAYOUT_COOLING_DAYS` days after they lose the role', async () => {
    await admin.submitMembers(
      at(),
      form({ intent: 'remove', id: other.operatorId, code: await freshCode(owner.operatorId) }),
      owner.cookies,
    )
    const { payoutCoolingDays } = config()
    const lost = async (ms: number) => {
      await db().former_owners.updateMany({ where: { merchant_id: merchantId }, data: { ended_at: new Date(ms) } })
      return (await formerOwnersOf(db(), shop.storefrontId)).map(({ to }) => to)
    }
    expect(await lost(days(-payoutCoolingDays) + 3_600_000)).toEqual([address('other')])
    expect(await lost(days(-payoutCoolingDays))).toEqual([])
  })

  test('a confirmation link is valid only for the person who requested it, and a correct code redirects to the page of the action', async () => {
    const second = await anOperator(address('staff'))
    const page = '/admin/live/x/endpoints?form=abc'
    const to = new URLSearchParams(confirmPath(owner.operatorId, page).split('?')[1]).get('to') ?? ''
    expect([
      await canConfirm(to, owner.cookies),
      await canConfirm(to, second.cookies),
      await canConfirm(to, null),
    ]).toEqual([true, false, false])
    const confirm = (code: string, cookies: string | null, where = to) =>
      submitConfirm(new URLSearchParams({ to: where, code }), cookies)
    expect(await confirm(await freshCode(owner.operatorId), second.cookies)).toEqual({ redirectTo: '/admin' })
    expect(await confirm('', owner.cookies, 'https://evil.example')).toEqual({ redirectTo: '/admin' })
    expect((await confirm('000000', owner.cookies)).redirectTo).toMatch(/^\/admin\/confirm\?to=.*&refused$/)
    expect(await confirm(await freshCode(owner.operatorId), owner.cookies)).toEqual({ redirectTo: page })
  })
})

describe('a saved payment method', () => {
  test('an action that charges a saved payment method needs a recent second-factor code', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const place = { mode: 'test', storefrontId: scenario.shop.storefrontId }
    const desk = await anOperator(address('desk'))
    const change = async (code?: string) => {
      const typed = { quantity: '3' }
      const page = await admin.subscriptionChangePage(place, scenario.id, new URLSearchParams(typed), desk.cookies)
      const sent = { ...typed, terms: page?.terms ?? '', ...(code !== undefined && { code }) }
      const next = await admin.submitSubscriptionChange(place, scenario.id, form(sent), desk.cookies)
      return { needsCode: page?.needsCode, redirectTo: next?.redirectTo ?? '' }
    }
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    const orders = (await ordersOf(scenario)).length
    for (const code of [undefined, '', '000000']) {
      const { needsCode, redirectTo } = await change(code)
      expect([needsCode, queryOf({ redirectTo }).get('code')]).toEqual([true, 'wrong'])
    }
    expect(await ordersOf(scenario)).toHaveLength(orders)
    expect((await change(await freshCode(desk.operatorId))).redirectTo).toMatch(/done=change$/)
    expect((await ordersOf(scenario)).length).toBeGreaterThan(orders)
  })

  test('unpausing a subscription asks for a code on a separate page if unpausing causes a charge', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const place = { mode: 'test', storefrontId: scenario.shop.storefrontId }
    const desk = await anOperator(address('desk'))
    const send = async (intent: 'pause' | 'unpause') => {
      const page = await admin.subscriptionPage(place, scenario.id, desk.cookies)
      const terms = page?.actions.find(({ action }) => action === intent)?.terms ?? ''
      return admin.submitSubscription(place, scenario.id, form({ intent, terms }), desk.cookies)
    }
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    expect(queryOf(await send('pause')).get('done')).toBe('pause')
    const refused = await send('unpause')
    expect(refused?.redirectTo).toMatch(/^\/admin\/confirm\?to=/)
    const to = queryOf(refused).get('to') ?? ''
    const code = await freshCode(desk.operatorId)
    const back = await submitConfirm(new URLSearchParams({ to, code }), desk.cookies)
    expect(back.redirectTo).toBe(`/admin/test/${scenario.shop.storefrontId}/subscriptions/${scenario.id}`)
    expect(queryOf(await send('unpause')).get('done')).toBe('unpause')
  })
})
