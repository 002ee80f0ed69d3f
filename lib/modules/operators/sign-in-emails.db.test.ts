import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, test } from 'vitest'
import { everywhere } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { freshCode, halfSignedIn, operatorAddress } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop } from '../../testing/shop.ts'
import { auditLog, verifyAudit } from '../audit/operations.ts'
import { readEmail } from '../emails/operations.ts'
import { secondFactorPage, submitSecondFactor } from './manage-sessions.ts'
import { createMember, createOperator, resetSecondFactor } from './operations.ts'
import { confirmsCode } from './step-up.ts'

afterEach(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const password = 'correct horse battery'
let made = 0

/** The session cookie and the known-browser cookie of a response. */
const cookiesOf = ({ cookie, deviceCookie }: { cookie?: string; deviceCookie?: string }) =>
  [cookie, deviceCookie].map((each) => each?.split(';')[0]).join('; ')
const enter = (cookies: string | null, code: string) => submitSecondFactor(new URLSearchParams({ code }), cookies)

/** A person with a second factor, and with the email about its set-up. */
async function aPerson(locale?: 'de') {
  const email = `own${++made}@example.com`
  const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({
    where: { id: (await aShop()).storefrontId },
  })
  const member = { email, password, merchantId, role: 'support', ...(locale && { locale }) } as const
  const { operatorId } = await (locale ? createMember(member) : createOperator({ email, password }))
  const half = await halfSignedIn(email)
  const page = await secondFactorPage(half)
  if (page?.kind !== 'set_up') throw new Error('the second factor is set up already')
  const code = new TOTP({ secret: Secret.fromBase32(page.secret) }).generate()
  return { email, operatorId, recoveryCodes: page.recoveryCodes, cookies: cookiesOf(await enter(half, code)) }
}

/** The emails to an address about its own sign-in, oldest first. */
async function emailsTo(address: string) {
  const rows = await db().emails.findMany({ where: { kind: 'own_access_changed' }, orderBy: { id: 'asc' } })
  const all = (await Promise.all(rows.map(({ id }) => readEmail(everywhere, id)))).filter((each) => each !== null)
  return all.filter(({ to }) => to === address).map((each) => ({ ...each, text: read(each.text) }))
}
const subjectsTo = async (address: string) => (await emailsTo(address)).map(({ subject }) => subject)
const setUp = 'Your second factor was set up'
const atTime = /\d{1,2} \w+ 20\d\d at \d\d:\d\d UTC/

test('the email about a new second factor states the time and how to react to a stranger’s set-up', async () => {
  const { email } = await aPerson()
  const [sent, ...others] = await emailsTo(email)
  expect(others).toEqual([])
  expect(sent?.subject).toBe(setUp)
  expect(sent?.text).toMatch(atTime)
  expect(sent?.text).toMatch(/If this was not you, set a new password now and write to .*\n\n.*\n.*\/admin\/password\n/)
})

describe('a recovery code', () => {
  test('a sign-in with a recovery code is emailed once, with the number left, in the person’s language', async () => {
    const { email, operatorId, recoveryCodes } = await aPerson('de')
    const [code = ''] = recoveryCodes
    expect((await enter(await halfSignedIn(email), code)).redirectTo).toBe('/admin')
    expect((await enter(await halfSignedIn(email), code)).redirectTo).toMatch(/refused/)
    const [, sent, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ subject: 'Ein Wiederherstellungscode wurde verwendet', locale: 'de' })
    expect(sent?.text).toMatch(/\(\d{1,2}\. \w+ 20\d\d um \d\d:\d\d UTC\)/)
    expect(sent?.text).toContain('Sie haben noch 7 Wiederherstellungscodes.')
    expect(sent?.text).toContain('/admin/sessions\n')
    const entries = (await auditLog(null, 9)).filter(({ subject }) => subject === operatorId)
    expect(entries.map(({ action }) => action)).toContain('operator.use_recovery_code')
  })

  test('a recovery code that confirms an action is emailed, and the last email says that none is left', async () => {
    const { email, cookies, recoveryCodes } = await aPerson()
    for (const code of recoveryCodes) expect(await confirmsCode(code, cookies)).toBe(true)
    const sent = (await emailsTo(email)).slice(1)
    expect(sent.map(({ subject }) => subject)).toEqual(recoveryCodes.map(() => 'A recovery code was used'))
    expect(sent.at(-2)?.text).toContain('You have 1 recovery code left.')
    expect(sent.at(-1)?.text).toContain('You have no recovery code left.')
  })

  test('a recovery code in several parallel requests is emailed once', async () => {
    const { email, operatorId, cookies, recoveryCodes } = await aPerson()
    const [code = ''] = recoveryCodes
    const racers = [1, 2, 3].map(() => () => confirmsCode(code, cookies))
    await raceBehind(lockOn('operators', operatorId), racers, 2)
    expect(await subjectsTo(email)).toEqual([setUp, 'A recovery code was used'])
  })

  test.each(['before', 'after'] as const)(
    'a recovery code is emailed once if the process is killed %s the commit',
    async (moment) => {
      const { email, cookies, recoveryCodes } = await aPerson()
      const [code = ''] = recoveryCodes
      // The first statement that decides is the count of attempts.
      expect(await killedAt(2, moment, () => confirmsCode(code, cookies), decisive())).toBe(true)
      const isUsed = moment === 'after'
      const used = ['A recovery code was used']
      expect(await subjectsTo(email)).toEqual([setUp, ...(isUsed ? used : [])])
      expect(await confirmsCode(code, cookies)).toBe(!isUsed)
      expect(await subjectsTo(email)).toEqual([setUp, ...used])
    },
  )

  test('a wrong recovery code is not emailed', async () => {
    const { email, cookies } = await aPerson()
    expect(await confirmsCode('aaaa-bbbb-cccc-dddd', cookies)).toBe(false)
    expect(await subjectsTo(email)).toEqual([setUp])
  })
})

describe('a sign-in with a code', () => {
  test('a sign-in with an unknown browser is emailed, with its time and address', async () => {
    const { email, operatorId } = await aPerson()
    expect((await enter(await halfSignedIn(email), await freshCode(operatorId))).redirectTo).toBe('/admin')
    const [, sent, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(sent?.subject).toBe('New sign-in to the admin area')
    expect(sent?.text).toMatch(atTime)
    for (const fact of [operatorAddress, 'end all sessions and set a new password', '/admin/sessions\n'])
      expect(sent?.text).toContain(fact)
  })

  test('a sign-in with a known browser is not emailed', async () => {
    const { email, operatorId, cookies } = await aPerson()
    const device = cookies.split('; ')[1]
    const half = `${await halfSignedIn(email)}; ${device}`
    expect((await enter(half, await freshCode(operatorId))).redirectTo).toBe('/admin')
    expect(await subjectsTo(email)).toEqual([setUp])
  })
})

test('the reset of a second factor by an operator is emailed to its owner', async () => {
  const { email } = await aPerson()
  await resetSecondFactor(email)
  const [, sent, ...others] = await emailsTo(email)
  expect(others).toEqual([])
  expect(sent?.subject).toBe('Your second factor was removed')
  expect(sent?.text).toMatch(atTime)
  expect(sent?.text).toContain('If you did not expect this, write to ')
})
