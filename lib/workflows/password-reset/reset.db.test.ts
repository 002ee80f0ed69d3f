import { afterAll, describe, expect, test } from 'vitest'
import { emailsPage, submitMembers } from '../../admin/pages.ts'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { readEmail } from '../../modules/emails/operations.ts'
import { codeOf } from '../../modules/operators/attempts.ts'
import { knownDevice } from '../../modules/operators/devices.ts'
import {
  personOf,
  secondFactorPage,
  sessionsPage,
  submitSecondFactor,
  submitSignIn,
} from '../../modules/operators/manage-sessions.ts'
import { createMember, createOperator } from '../../modules/operators/operations.ts'
import { everywhere } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { allRows } from '../../testing/all-rows.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { firstLogIn, codeOf as secondFactorCode } from '../../testing/log-in.ts'
import { aMember, anOperator, freshCodeOf, halfSignedIn, operatorAddress } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop, runDueTasks } from '../../testing/shop.ts'
import { loadPasswordReset, passwordPage, typedAsForgotten } from './load-password-reset.ts'
import { submitForgotten, submitPassword } from './submit-password-reset.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const browser = { address: operatorAddress, name: 'Test' }
const next = 'another horse battery'
let made = 0
const anAddress = () => `reset${++made}@example.com`

const ask = (email: string) => submitForgotten(new URLSearchParams({ email }))
async function emails() {
  const rows = await db().emails.findMany({ where: { kind: 'password_reset' }, orderBy: { id: 'desc' } })
  return Promise.all(rows.map(async ({ id }) => (await readEmail(everywhere, id)) ?? { to: '', text: '', subject: '' }))
}
async function linkFor(email: string): Promise<string> {
  await ask(email)
  await runDueTasks()
  const [newest] = await emails()
  expect(newest?.to).toBe(email)
  return /\/admin\/password\/([\w-]{43})\n/.exec(newest?.text ?? '')?.[1] ?? ''
}
const set = (token: string, password = next) => submitPassword(token, new URLSearchParams({ password }), browser)
const signIn = (email: string, password: string) => submitSignIn(new URLSearchParams({ email, password }), browser)
const done = { redirectTo: '/admin/sign-in?password-set' }
const refused = expect.objectContaining({ redirectTo: expect.stringMatching(/^\/admin\/sign-in\?refused/) })

describe('a forgotten password', () => {
  test('a password reset with the emailed link ends all sessions, but keeps the second factor', async () => {
    const email = anAddress()
    const { operatorId, cookies } = await anOperator(email)
    expect(await ask(` ${email.toUpperCase().replace('EXAMPLE.COM', 'example.com')} `)).toEqual({
      redirectTo: '/admin/password?sent',
    })
    const half = await halfSignedIn(email)
    const token = await linkFor(email)
    for (let looked = 0; looked < 3; looked++)
      expect([await passwordPage(token), (await loadPasswordReset(token)).status]).toEqual([
        { state: 'open', email },
        200,
      ])
    expect(await personOf(cookies)).not.toBeNull()
    expect(await set(token)).toMatchObject(done)
    expect(await personOf(cookies)).toBeNull()
    expect(await secondFactorPage(half)).toBeNull()
    expect(await sessionsPage(cookies)).toBeNull()
    expect(await signIn(email, 'correct horse battery')).toEqual(refused)
    const again = (await signIn(email, next)).cookie?.split(';')[0] ?? null
    expect(await personOf(again)).toBeNull()
    expect(await secondFactorPage(again)).toEqual({ kind: 'code', isReadable: true })
    expect((await auditLog(null, 1))[0]).toMatchObject({
      action: 'operator.reset_password',
      subject: operatorId,
      after: { endedSessions: 2 },
      actor: { kind: 'operator', id: operatorId, address: operatorAddress },
    })
  })

  test('the reset email to a member names the merchant, and is in no storefront’s list of emails', async () => {
    const shop = await aShop()
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const email = anAddress()
    const { cookies } = await aMember(email, merchant_id, 'owner')
    const token = await linkFor(email)
    const [{ text, subject } = { text: '', subject: '' }] = await emails()
    expect(subject).toBe('Set a new password')
    expect(text).toContain('A new password was requested for your sign-in to the admin area of Lumen Software.')
    for (const mode of ['test', 'live'])
      expect((await emailsPage({ mode, storefrontId: shop.storefrontId }, {}, cookies))?.rows).toEqual([])
    await set(token)
    expect((await auditLog(null, 1))[0]?.actor.kind).toBe('member')
  })

  test('a reset request for an unknown address gets the same response as for a known address', async () => {
    const before = (await emails()).length
    expect(await ask('nobody@example.org')).toEqual(await ask('nobody2@example.org'))
    expect(await ask('nobody@example.org')).toEqual({ redirectTo: '/admin/password?sent' })
    await runDueTasks()
    expect((await emails()).length).toBe(before)
    const { redirectTo, cookie } = await ask('nobody')
    const [, form = ''] = /^\/admin\/password\?problem=email&form=(\w+)$/.exec(redirectTo) ?? []
    expect(typedAsForgotten(form, cookie?.split(';')[0] ?? null)).toBe('nobody')
    expect(await db().tasks.count({ where: { name: 'operator.email_password_link' } })).toBe(0)
  })

  test('at most three password reset links per hour are emailed to an address', async () => {
    const email = anAddress()
    await createOperator({ email, password: 'correct horse battery' })
    for (let n = 0; n < 5; n++) await ask(email)
    await runDueTasks()
    expect((await emails()).filter(({ to }) => to === email)).toHaveLength(3)
    await db().password_resets.updateMany({ data: { created_at: new Date(Date.now() - 3_600_000) } })
    await linkFor(email)
  })

  test('a password reset request stores neither the token nor the address in clear text', async () => {
    const email = anAddress()
    await createOperator({ email, password: 'correct horse battery' })
    await ask(email)
    const tasks = await db().tasks.findMany({ where: { name: 'operator.email_password_link' } })
    expect(JSON.stringify(tasks, (_, each) => (typeof each === 'bigint' ? '' : each))).not.toContain(email)
    const token = await linkFor(email)
    const rows = JSON.stringify(await allRows(), (_, each) => (typeof each === 'bigint' ? '' : each))
    expect(rows).not.toContain(token)
  })
})

async function ownEmails(address: string) {
  const rows = await db().emails.findMany({ where: { kind: 'own_access_changed' }, orderBy: { id: 'asc' } })
  const all = (await Promise.all(rows.map(({ id }) => readEmail(everywhere, id)))).filter((each) => each !== null)
  return all.filter(({ to }) => to === address).map((each) => ({ ...each, text: read(each.text) }))
}

describe('the email about a changed password', () => {
  test('one email in the member’s language reports a changed password with the time and advice', async () => {
    const shop = await aShop()
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const email = anAddress()
    await createMember({ email, merchantId, role: 'support', password: 'correct horse battery', locale: 'de' })
    const token = await linkFor(email)
    expect(await ownEmails(email)).toEqual([])
    await set(token)
    await set(token)
    const [sent, ...others] = await ownEmails(email)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ subject: 'Ihr Passwort wurde geändert', locale: 'de' })
    expect(sent?.text).toMatch(/\(\d{1,2}\. \S+ 20\d\d um \d\d:\d\d UTC\)/)
    expect(sent?.text).toMatch(
      /Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest.*\n\n.*\n.*\/admin\/password\n/,
    )
  })

  test.each(['before', 'after'] as const)(
    'one email about a changed password is sent even if the process is killed %s the commit',
    async (moment) => {
      const email = anAddress()
      await createOperator({ email, password: 'correct horse battery' })
      const token = await linkFor(email)
      await killedAt(1, moment, () => set(token), decisive())
      await set(token)
      expect((await ownEmails(email)).map(({ subject }) => subject)).toEqual(['Your password was changed'])
    },
  )
})

describe('the link of a password reset', () => {
  test('a password reset link can be used once, and its use invalidates earlier links', async () => {
    const email = anAddress()
    await createOperator({ email, password: 'correct horse battery' })
    const [first, second] = [await linkFor(email), await linkFor(email)]
    expect(await set(second)).toMatchObject(done)
    const before = await allRows()
    for (const token of [first, second]) {
      expect([await passwordPage(token), (await loadPasswordReset(token)).status]).toEqual([{ state: 'over' }, 410])
      expect(await set(token, 'a third horse battery')).toEqual({ redirectTo: `/admin/password/${token}` })
    }
    expect(await allRows()).toEqual(before)
  })

  test('concurrent submissions of a reset link set one password', async () => {
    const email = anAddress()
    const { operatorId } = await createOperator({ email, password: 'correct horse battery' })
    const token = await linkFor(email)
    const racers = ['one', 'two', 'three', 'four'].map((word) => () => set(token, `${word} horse battery`))
    const ends = await raceBehind(lockOn('operators', operatorId), racers, 2)
    const won = ends.filter((end) => end.status === 'fulfilled' && end.value?.redirectTo === done.redirectTo)
    expect(won).toHaveLength(1)
  })

  test.each(['before', 'after'] as const)(
    'a password reset takes effect even if the process is killed %s the commit',
    async (moment) => {
      const email = anAddress()
      await createOperator({ email, password: 'correct horse battery' })
      const token = await linkFor(email)
      expect(await killedAt(1, moment, () => set(token), decisive())).toBe(true)
      await set(token)
      expect((await signIn(email, next)).redirectTo).toBe('/admin/second-factor')
    },
  )

  test('a password reset link expires after an hour, and requires a password of at least 12 characters', async () => {
    const email = anAddress()
    await createOperator({ email, password: 'correct horse battery' })
    const token = await linkFor(email)
    for (const short of ['', 'x'.repeat(11), 'x'.repeat(201)])
      expect(await set(token, short)).toEqual({ redirectTo: `/admin/password/${token}?problem=password` })
    await db().password_resets.updateMany({ data: { expires_at: new Date() } })
    expect((await loadPasswordReset(token)).status).toBe(410)
    expect(await set(token)).toEqual({ redirectTo: `/admin/password/${token}` })
    expect((await signIn(email, 'correct horse battery')).redirectTo).toBe('/admin/second-factor')
  })

  test.each(['', 'submit', 'a'.repeat(43)])('the reset token %j is unknown', async (token) => {
    expect([await passwordPage(token), await set(token), (await loadPasswordReset(token)).status]).toEqual([
      null,
      null,
      404,
    ])
  })

  test('a password reset unlocks an account after wrong passwords, but not after wrong codes', async () => {
    const email = anAddress()
    const { operatorId } = await createOperator({ email, password: 'correct horse battery' })
    const token = await linkFor(email)
    for (let n = 0; n < 35; n++)
      await submitSignIn(new URLSearchParams({ email, password: 'wrong horse battery' }), {
        ...browser,
        address: `192.0.2.${n}`,
      })
    for (let n = 0; n < 5; n++) await signIn(email, 'wrong horse battery')
    const begun = { subject: codeOf(operatorId), source: '', count: 10, since: new Date() }
    await db().sign_in_failures.create({ data: begun })
    const { deviceCookie, ...answer } = (await set(token)) ?? { redirectTo: '' }
    expect(answer).toEqual(done)
    expect((await signIn(email, next)).redirectTo).toBe('/admin/second-factor')
    expect(await db().sign_in_failures.count({ where: { subject: codeOf(operatorId) } })).toBe(1)
    const cookies = deviceCookie?.split(';')[0] ?? ''
    const knows = (isFull: boolean) => knownDevice(db(), { email, cookies, isFull })
    expect([await knows(false), await knows(true)]).toEqual([expect.any(String), null])
  })

  test('a password reset ends the session of a concurrent log-in with the old password', async () => {
    const email = anAddress()
    const { operatorId } = await createOperator({ email, password: 'correct horse battery' })
    const token = await linkFor(email)
    const racers = [() => signIn(email, 'correct horse battery'), () => set(token)]
    await raceBehind<unknown>(lockOn('operators', operatorId), racers, 2, undefined, { inTurn: true })
    expect(await db().operator_sessions.count({ where: { operator_id: operatorId, ended_at: null } })).toBe(0)
    expect(await signIn(email, 'correct horse battery')).toEqual(refused)
    expect((await signIn(email, next)).redirectTo).toBe('/admin/second-factor')
  })

  test('the password reset link of a removed member is unknown', async () => {
    const shop = await aShop()
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    const email = anAddress()
    const member = { email, merchantId, role: 'support', password: 'correct horse battery' } as const
    const { operatorId: id } = await createMember(member)
    const token = await linkFor(email)
    const { cookies } = await aMember(anAddress(), merchantId, 'owner')
    const code = await freshCodeOf(cookies)
    const form = new URLSearchParams({ intent: 'remove', id, key: crypto.randomUUID(), code })
    await submitMembers({ mode: 'test', storefrontId: shop.storefrontId }, form, cookies)
    expect([await passwordPage(token), await set(token)]).toEqual([null, null])
  })
})

test('after a password reset, a log-in with the existing second factor opens a session', async () => {
  const email = anAddress()
  await createOperator({ email, password: 'correct horse battery' })
  const { secret } = await firstLogIn(email)
  await set(await linkFor(email))
  const again = (await signIn(email, next)).cookie?.split(';')[0] ?? null
  const opened = await submitSecondFactor(new URLSearchParams({ code: secondFactorCode(secret, 1) }), again)
  expect((await personOf(opened.cookie?.split(';')[0] ?? null))?.email).toBe(email)
})
