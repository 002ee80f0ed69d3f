import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { readEmail } from '../modules/emails/operations.ts'
import { personOf } from '../modules/operators/manage-sessions.ts'
import { everywhere } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { allRows } from '../testing/all-rows.ts'
import { lockOn } from '../testing/lock-on.ts'
import { aMember, anOperator, freshCodeOf, operatorAddress } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { aShop } from '../testing/shop.ts'
import { submitPassword } from '../workflows/password-reset/submit-password-reset.ts'
import { removeStaff } from '../workflows/staff/operations.ts'
import { peoplePage, submitPeople } from './pages.ts'

afterEach(async () => expect((await verifyAudit()).brokenAt).toBeNull())

let made = 0
const address = () => `people${++made}@example.com`

let me: Awaited<ReturnType<typeof anOperator>> & { email: string }
beforeEach(async () => {
  const email = address()
  me = { ...(await anOperator(email)), email }
})

const form = (intent: string, fields: Record<string, string> = {}) =>
  new URLSearchParams({ key: crypto.randomUUID(), intent, ...fields })
const send = async (intent: string, fields: Record<string, string> = {}, as = me.cookies) =>
  submitPeople(form(intent, { code: await freshCodeOf(as), ...fields }), as)
const done = (what: string) => ({ redirectTo: `/admin/people?done=${what}` })
const peopleIds = async () => (await peoplePage(null, me.cookies))?.people.map(({ id }) => id)
const emailsTo = async (to: string) => {
  const rows = await db().emails.findMany({ orderBy: { id: 'asc' } })
  const all = await Promise.all(rows.map(({ id }) => readEmail(everywhere, id)))
  return all.filter((each) => each?.to === to)
}

describe('the people of the staff', () => {
  test('an invited person sets a password with the emailed link, and becomes staff', async () => {
    const email = address()
    const sent = form('invite', { email, language: 'de', code: await freshCodeOf(me.cookies) })
    for (let clicks = 0; clicks < 2; clicks++) expect(await submitPeople(sent, me.cookies)).toEqual(done('invited'))
    const { id, merchant_id } = await db().operators.findUniqueOrThrow({ where: { email } })
    expect(merchant_id).toBeNull()
    expect((await auditLog(null, 1))[0]).toMatchObject({
      action: 'operator.invite',
      subject: id,
      actor: { kind: 'operator', id: me.operatorId },
    })
    expect((await peoplePage(null, me.cookies))?.people.find((each) => each.id === id)).toMatchObject({
      email,
      hasSecondFactor: false,
      openSessions: 0,
      isSelf: false,
    })
    const [invitation, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(invitation?.locale).toBe('de')
    expect(invitation?.text).toContain(me.email)
    const token = /\/admin\/password\/([\w-]{43})\n/.exec(invitation?.text ?? '')?.[1] ?? ''
    const browser = { address: operatorAddress, name: 'Test' }
    const set = () => submitPassword(token, new URLSearchParams({ password: 'correct horse battery' }), browser)
    expect((await set())?.redirectTo).toBe('/admin/sign-in?password-set')
    expect((await set())?.redirectTo).toBe(`/admin/password/${token}`)
  })

  test('sending an invitation form again with a different address invites the second person too', async () => {
    const [first, second] = [address(), address()]
    const key = crypto.randomUUID()
    for (const email of [first, second])
      expect(await send('invite', { key, email, language: 'en' })).toEqual(done('invited'))
    expect(await db().operators.count({ where: { email: { in: [first, second] } } })).toBe(2)
  })

  test('an invitation link for staff is valid for seven days', async () => {
    const email = address()
    await send('invite', { email, language: 'en' })
    const { expires_at, created_at } = await db().password_resets.findFirstOrThrow({ orderBy: { id: 'desc' } })
    expect(expires_at.getTime() - created_at.getTime()).toBe(7 * 86_400_000)
  })

  test('staff can invite fifty people per day, and a refused invitation does not use up the second-factor code', async () => {
    const mine = await db().operators.findUniqueOrThrow({ where: { id: me.operatorId } })
    const data = Array.from({ length: 50 }, (_, n) => ({ ...mine, id: `${mine.id}${n}`, email: address() }))
    await db().operators.createMany({ data })
    const fields = { email: address(), language: 'en', code: await freshCodeOf(me.cookies) }
    expect((await send('invite', fields))?.redirectTo).toMatch(/form=/)
    await db().operators.deleteMany({ where: { id: { in: data.map(({ id }) => id) } } })
    expect(await send('invite', fields)).toEqual(done('invited'))
  })

  test('staff invitations are refused for an invalid address, an address in use, an unknown language, or a wrong second-factor code', async () => {
    await freshCodeOf(me.cookies)
    for (const [fields, field] of [
      [{ email: 'nobody', language: 'en' }, 'email'],
      [{ email: me.email.toUpperCase().replace('EXAMPLE.COM', 'example.com'), language: 'en' }, 'email'],
      [{ email: address(), language: 'xx' }, 'language'],
      [{ email: address(), language: 'en', code: '000000' }, 'code'],
    ] as const) {
      const before = await db().operators.count()
      const next = await send('invite', fields)
      const id = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
      const page = await peoplePage(id, `${me.cookies}; ${next?.cookie?.split(';')[0]}`)
      expect(Object.keys(page?.problems ?? {})).toEqual([field])
      expect(page?.typed).toMatchObject({ email: fields.email })
      expect(await db().operators.count()).toBe(before)
    }
  })

  test('removing a person from staff ends all sessions of the person, sends the person an email, and adds the person’s id to the audit log', async () => {
    const email = address()
    const other = await anOperator(email)
    expect(await send('remove', { id: other.operatorId })).toEqual(done('removed'))
    expect(await personOf(other.cookies)).toBeNull()
    expect(await peopleIds()).not.toContain(other.operatorId)
    expect((await emailsTo(email)).at(-1)?.text).toContain(me.email)
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'operator.remove', subject: other.operatorId })
    expect((await send('remove', { id: other.operatorId }))?.redirectTo).toMatch(/failed=not_found/)
  })

  test('staff cannot remove their own log-in or a member of a merchant, and a request for an unknown id is refused', async () => {
    const shop = await aShop()
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const member = await aMember(address(), merchantId, 'owner')
    expect((await send('remove', { id: me.operatorId }))?.redirectTo).toMatch(/form=\w+#problems$/)
    for (const id of [member.operatorId, 'operator_x', ''])
      expect((await send('remove', { id }))?.redirectTo).toMatch(/failed=not_found/)
    for (const id of [member.operatorId, 'operator_x'])
      expect((await send('end-sessions', { id }))?.redirectTo).toMatch(/failed=not_found/)
    expect(await personOf(me.cookies)).not.toBeNull()
    expect(await personOf(member.cookies)).not.toBeNull()
  })

  test('if two staff members remove each other at the same time, one of them remains', async () => {
    const other = await anOperator(address())
    const by = (id: string) => ({ kind: 'operator' as const, id, address: operatorAddress })
    const ends = await raceBehind<unknown>(
      lockOn('operators', me.operatorId),
      [() => removeStaff(other.operatorId, by(me.operatorId)), () => removeStaff(me.operatorId, by(other.operatorId))],
      2,
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await db().operators.count({ where: { id: { in: [me.operatorId, other.operatorId] } } })).toBe(1)
  })

  test('staff can end all sessions of a person without removing the person from staff', async () => {
    const other = await anOperator(address())
    expect(await send('end-sessions', { id: other.operatorId })).toEqual(done('sessionsEnded'))
    expect(await personOf(other.cookies)).toBeNull()
    expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'operator.end_sessions', after: { endedSessions: 1 } })
    expect(await peopleIds()).toContain(other.operatorId)
  })

  test('staff can reset the second factor of any person by email address, and the person gets an email', async () => {
    const shop = await aShop()
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const [staffEmail, memberEmail] = [address(), address()]
    await anOperator(staffEmail)
    await aMember(memberEmail, merchantId, 'owner')
    for (const email of [staffEmail, memberEmail]) {
      expect(await send('reset', { email })).toEqual(done('reset'))
      const { totp_since } = await db().operators.findUniqueOrThrow({ where: { email } })
      expect(totp_since).toBeNull()
      expect((await auditLog(null, 1))[0]).toMatchObject({ action: 'operator.reset_second_factor' })
      expect((await emailsTo(email)).at(-1)?.kind).toBe('own_access_changed')
    }
    expect((await send('reset', { email: address() }))?.redirectTo).toMatch(/#problems$/)
  })

  test('members of merchants and requests without a valid session can neither read nor change the staff list', async () => {
    const shop = await aShop()
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const { cookies } = await aMember(address(), merchantId, 'owner')
    const code = await freshCodeOf(cookies)
    const before = await allRows()
    for (const stranger of [cookies, null, '', '__Host-billhook-operator=x']) {
      expect(await peoplePage(null, stranger)).toBeNull()
      for (const intent of ['invite', 'remove', 'end-sessions', 'reset'])
        expect(await submitPeople(form(intent, { id: me.operatorId, email: me.email, code }), stranger)).toBeNull()
    }
    expect(await allRows()).toEqual(before)
  })
})
