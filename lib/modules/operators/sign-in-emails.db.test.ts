import { afterAll, describe, expect, test } from 'vitest'
import { everywhere } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { decisive, killedAt } from '../../testing/crash.ts'
import { read } from '../../testing/email-text.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { enter, firstLogIn, password } from '../../testing/log-in.ts'
import { freshCode, halfSignedIn, operatorAddress } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aShop } from '../../testing/shop.ts'
import { auditLog, verifyAudit } from '../audit/operations.ts'
import { readEmail } from '../emails/operations.ts'
import { createMember, createOperator, resetSecondFactor } from './operations.ts'
import { confirmsCode } from './step-up.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

let made = 0

/** A person who has set up a second factor and has received the email about it. */
async function aPerson(locale?: 'de') {
  const email = `own${++made}@example.com`
  const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({
    where: { id: (await aShop()).storefrontId },
  })
  const member = { email, password, merchantId, role: 'support', ...(locale && { locale }) } as const
  const { operatorId } = await (locale ? createMember(member) : createOperator({ email, password }))
  const { recoveryCodes, cookies, device } = await firstLogIn(email)
  return { email, operatorId, recoveryCodes, cookies: `${cookies}; ${device}` }
}

async function emailsTo(address: string) {
  const rows = await db().emails.findMany({ where: { kind: 'own_access_changed' }, orderBy: { id: 'asc' } })
  const all = (await Promise.all(rows.map(({ id }) => readEmail(everywhere, id)))).filter((each) => each !== null)
  return all.filter(({ to }) => to === address).map((each) => ({ ...each, text: read(each.text) }))
}
const subjectsTo = async (address: string) => (await emailsTo(address)).map(({ subject }) => subject)
const setUp = 'Your second factor was set up'
const atTime = /\d{1,2} \w+ 20\d\d at \d\d:\d\d UTC/

test('the email about a new second factor states when it was added, and what to do if another person added it', async () => {
  const { email } = await aPerson()
  const [sent, ...others] = await emailsTo(email)
  expect(others).toEqual([])
  expect(sent?.subject).toBe(setUp)
  expect(sent?.text).toMatch(atTime)
  expect(sent?.text).toMatch(/If this was not you, set a new password now and write to .*\n\n.*\n.*\/admin\/password\n/)
})

describe('recovery codes', () => {
  test('a sign-in with a recovery code sends one email in the person’s language', async () => {
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

  test('each use of a recovery code sends an email with the number of unused codes', async () => {
    const { email, cookies, recoveryCodes } = await aPerson()
    for (const code of recoveryCodes) expect(await confirmsCode(code, cookies)).toBe(true)
    const sent = (await emailsTo(email)).slice(1)
    expect(sent.map(({ subject }) => subject)).toEqual(recoveryCodes.map(() => 'A recovery code was used'))
    expect(sent.at(-2)?.text).toContain('You have 1 recovery code left.')
    expect(sent.at(-1)?.text).toContain('You have no recovery code left.')
  })

  test('parallel requests with one recovery code send one email', async () => {
    const { email, operatorId, cookies, recoveryCodes } = await aPerson()
    const [code = ''] = recoveryCodes
    const racers = [1, 2, 3].map(() => () => confirmsCode(code, cookies))
    await raceBehind(lockOn('operators', operatorId), racers, 2)
    expect(await subjectsTo(email)).toEqual([setUp, 'A recovery code was used'])
  })

  test.each(['before', 'after'] as const)(
    'the confirmation of an action with a recovery code sends one email, even if the process is killed %s the commit',
    async (moment) => {
      const { email, cookies, recoveryCodes } = await aPerson()
      const [code = ''] = recoveryCodes
      // The process is killed at the second write, which uses the code. The first write only counts the attempt.
      expect(await killedAt(2, moment, () => confirmsCode(code, cookies), decisive())).toBe(true)
      const isUsed = moment === 'after'
      const used = ['A recovery code was used']
      expect(await subjectsTo(email)).toEqual([setUp, ...(isUsed ? used : [])])
      expect(await confirmsCode(code, cookies)).toBe(!isUsed)
      expect(await subjectsTo(email)).toEqual([setUp, ...used])
    },
  )

  test('a wrong recovery code sends no email', async () => {
    const { email, cookies } = await aPerson()
    expect(await confirmsCode('aaaa-bbbb-cccc-dddd', cookies)).toBe(false)
    expect(await subjectsTo(email)).toEqual([setUp])
  })
})

describe('sign-ins', () => {
  test('a sign-in in an unknown browser sends an email with the time and IP address of the sign-in', async () => {
    const { email, operatorId } = await aPerson()
    expect((await enter(await halfSignedIn(email), await freshCode(operatorId))).redirectTo).toBe('/admin')
    const [, sent, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(sent?.subject).toBe('New sign-in to the admin area')
    expect(sent?.text).toMatch(atTime)
    for (const fact of [operatorAddress, 'end all sessions and set a new password', '/admin/sessions\n'])
      expect(sent?.text).toContain(fact)
  })

  test.each(['before', 'after'] as const)(
    'each committed sign-in in an unknown browser sends one email, even if the process is killed %s the commit',
    async (moment) => {
      const { email, operatorId } = await aPerson()
      const [half, code] = [await halfSignedIn(email), await freshCode(operatorId)]
      // The process is killed at the second write, which starts the session. The first write only counts the attempt.
      expect(await killedAt(2, moment, () => enter(half, code), decisive())).toBe(true)
      const newSignIn = 'New sign-in to the admin area'
      expect(await subjectsTo(email)).toEqual([setUp, ...(moment === 'after' ? [newSignIn] : [])])
      const { redirectTo } = await enter(
        moment === 'before' ? half : await halfSignedIn(email),
        await freshCode(operatorId),
      )
      expect(redirectTo).toBe('/admin')
      expect((await subjectsTo(email)).filter((subject) => subject === newSignIn)).toHaveLength(
        moment === 'before' ? 1 : 2,
      )
    },
  )

  test('a sign-in in a known browser sends no email', async () => {
    const { email, operatorId, cookies } = await aPerson()
    const device = cookies.split('; ')[1]
    const half = `${await halfSignedIn(email)}; ${device}`
    expect((await enter(half, await freshCode(operatorId))).redirectTo).toBe('/admin')
    expect(await subjectsTo(email)).toEqual([setUp])
  })
})

test('the reset of a second factor is emailed to the owner of the account', async () => {
  const { email } = await aPerson()
  await resetSecondFactor(email)
  const [, sent, ...others] = await emailsTo(email)
  expect(others).toEqual([])
  expect(sent?.subject).toBe('Your second factor was removed')
  expect(sent?.text).toMatch(atTime)
  expect(sent?.text).toContain('If you did not expect this, write to ')
})
