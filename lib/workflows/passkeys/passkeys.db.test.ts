import { generateKeyPairSync } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../../modules/audit/operations.ts'
import { readEmail } from '../../modules/emails/operations.ts'
import { personOf, submitSignIn } from '../../modules/operators/manage-sessions.ts'
import { resetSecondFactor } from '../../modules/operators/operations.ts'
import { deleteOldChallenges } from '../../modules/operators/passkey-store.ts'
import { findOperator, openTotpSecret } from '../../modules/operators/store.ts'
import { everywhere } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { answerWith, createPasskey, type Faults } from '../../testing/authenticator.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { anOperator as aLoggedIn, freshCodeOf } from '../../testing/operator.ts'
import {
  addPasskeyPage,
  logInOptions,
  passkeyRows,
  submitPasskey,
  submitPasskeyCode,
  submitPasskeyLogIn,
  submitRemovePasskey,
} from './manage-passkeys.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const origin = 'http://billhook.test'
const browser = { address: '203.0.113.9', name: 'Test browser' }
const refused = { redirectTo: '/admin/sign-in?passkey-refused' }
const notAdded = { redirectTo: '/admin/sessions?failed=passkey#passkeys' }
let made = 0

const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const cookiesOf = ({ cookie }: { cookie?: string }) => cookie?.split(';')[0] ?? null

async function anOperator() {
  const email = `passkey${++made}@example.com`
  return { email, ...(await aLoggedIn(email)) }
}
type Operator = Awaited<ReturnType<typeof anOperator>>

async function challengeFor({ cookies, recoveryCodes }: Operator, nth = 0): Promise<string> {
  const next = await submitPasskeyCode(form({ code: recoveryCodes[nth] ?? '' }), cookies)
  return new URL(next.redirectTo, origin).searchParams.get('challenge') ?? ''
}

async function anOperatorWithPasskey(counter = 0) {
  const operator = await anOperator()
  const challenge = await challengeFor(operator)
  const { passkey, credential } = createPasskey({ challenge, origin }, {}, counter)
  passkey.userHandle = Buffer.from(operator.operatorId).toString('base64url')
  const next = await submitPasskey(form({ credential, name: 'Laptop' }), operator.cookies)
  expect(next).toEqual({ redirectTo: '/admin/sessions?done=passkeyAdded#passkeys' })
  return { ...operator, passkey, credential, challenge }
}

async function emailsTo(address: string, kind: 'passkey_added' | 'own_access_changed' = 'passkey_added') {
  const rows = await db().emails.findMany({ where: { kind }, orderBy: { id: 'asc' } })
  const all = await Promise.all(rows.map(({ id }) => readEmail(everywhere, id)))
  return all.filter((each) => each?.to === address)
}

const logInChallenge = async () => ((await logInOptions()) as { challenge: string }).challenge
const logInWith = (credential: string) => submitPasskeyLogIn(form({ credential }), browser)

describe('a passkey', () => {
  test('a passkey is added after a second-factor code, and then permits a log-in without password and code', async () => {
    const { operatorId, cookies, email, passkey } = await anOperatorWithPasskey()
    const [row] = (await passkeyRows(cookies)) ?? []
    expect(row).toMatchObject({ id: expect.stringMatching(/^passkey_/), name: 'Laptop', lastUsedAt: null })
    const next = await logInWith(answerWith(passkey, { challenge: await logInChallenge(), origin }))
    expect(next).toMatchObject({ redirectTo: '/admin', cookie: expect.stringMatching(/^__Host-billhook-operator=/) })
    expect(next.cookie).toMatch(/SameSite=Strict/)
    expect(await personOf(cookiesOf(next))).toMatchObject({ email, actor: { id: operatorId } })
    expect(await passkeyRows(cookies)).toMatchObject([{ lastUsedAt: expect.any(String) }])
    const entries = await db().audit_entries.findMany({ where: { actor_id: operatorId }, orderBy: { seq: 'asc' } })
    expect(entries.slice(-2)).toMatchObject([
      { action: 'operator.add_passkey', subject: row?.id, after: null },
      { action: 'operator.log_in', subject: operatorId, after: { passkey: row?.id } },
    ])
  })

  test('an email informs the operator about an added passkey, but not about a refused passkey', async () => {
    const { email, cookies, credential } = await anOperatorWithPasskey()
    expect(await submitPasskey(form({ credential, name: 'again' }), cookies)).toEqual(notAdded)
    const [sent, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(sent?.subject).toBe('A passkey was added')
    for (const fact of ['“Laptop”', `${origin}/admin/sessions\n`]) expect(sent?.text).toContain(fact)
  })

  test('a log-in with a passkey is reported by email if the browser is new to the account', async () => {
    const { email, passkey } = await anOperatorWithPasskey()
    const logIn = async (cookies: string | null) =>
      submitPasskeyLogIn(form({ credential: answerWith(passkey, { challenge: await logInChallenge(), origin }) }), {
        ...browser,
        cookies,
      })
    const signIns = async () =>
      (await emailsTo(email, 'own_access_changed')).filter((each) => each?.subject.startsWith('New sign-in'))
    const { deviceCookie } = await logIn(null)
    expect(await signIns()).toMatchObject([{ text: expect.stringContaining(browser.address) }])
    expect((await logIn(deviceCookie?.split(';')[0] ?? '')).redirectTo).toBe('/admin')
    expect(await signIns()).toHaveLength(1)
  })

  test('an email informs the operator about a removed passkey', async () => {
    const { email, cookies } = await anOperatorWithPasskey()
    const [row] = (await passkeyRows(cookies)) ?? []
    await submitRemovePasskey(row?.id ?? '', form({ code: await freshCodeOf(cookies) }), cookies)
    const sent = (await emailsTo(email, 'own_access_changed')).at(-1)
    expect(sent?.text).toContain('The passkey “Laptop” was removed')
  })

  test('a log-in with a passkey succeeds even if wrong passwords have locked the account', async () => {
    const { email, passkey } = await anOperatorWithPasskey()
    for (let n = 0; n < 6; n++) await submitSignIn(form({ email, password: 'wrong password' }), browser)
    const next = await logInWith(answerWith(passkey, { challenge: await logInChallenge(), origin }))
    expect(next.redirectTo).toBe('/admin')
  })

  test('a removed passkey cannot log in, and an operator cannot remove another operator’s passkey', async () => {
    const { cookies, passkey } = await anOperatorWithPasskey()
    const [row] = (await passkeyRows(cookies)) ?? []
    const other = await anOperator()
    await submitRemovePasskey(row?.id ?? '', form({ code: other.recoveryCodes[0] ?? '' }), other.cookies)
    expect(await passkeyRows(cookies)).toHaveLength(1)
    await submitRemovePasskey(row?.id ?? '', form({ code: '000000' }), cookies)
    expect(await passkeyRows(cookies)).toHaveLength(1)
    await submitRemovePasskey(row?.id ?? '', form({ code: await freshCodeOf(cookies) }), cookies)
    expect(await passkeyRows(cookies)).toEqual([])
    expect(await logInWith(answerWith(passkey, { challenge: await logInChallenge(), origin }))).toEqual(refused)
  })

  test('a reset of the second factor removes the passkeys', async () => {
    const { email, passkey } = await anOperatorWithPasskey()
    await resetSecondFactor(email)
    expect(await logInWith(answerWith(passkey, { challenge: await logInChallenge(), origin }))).toEqual(refused)
  })

  test('without a session, the passkey pages return no challenge', async () => {
    expect(await passkeyRows(null)).toBeNull()
    expect(await addPasskeyPage('x', null)).toBeNull()
    const nobody = { redirectTo: '/admin/sign-in' }
    expect(await submitPasskeyCode(form({ code: '123456' }), null)).toEqual(nobody)
    expect(await submitPasskey(form({}), null)).toEqual(nobody)
    expect(await submitRemovePasskey('passkey_x', form({}), null)).toEqual(nobody)
  })
})

describe('a refused log-in with a passkey', () => {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const wrong: Record<string, { faults?: Faults; origin?: string; challenge?: () => Promise<string> | string }> = {
    'without a fingerprint or a PIN': { faults: { unverified: true } },
    'with the signature of another key': { faults: { signedBy: stranger } },
    'for another host': { faults: { rpId: 'evil.example' } },
    'from another origin': { origin: 'http://evil.example' },
    'with an invalid challenge': { challenge: () => 'AAAA' },
    'with a challenge for a new passkey': { challenge: async () => challengeFor(await anOperator()) },
    'without a challenge': { challenge: () => '' },
    'without an account': { faults: { userHandle: null } },
    'with another account': { faults: { userHandle: Buffer.from('operator_0').toString('base64url') } },
  }
  test.each(Object.entries(wrong))(
    'a log-in with a passkey is refused %s',
    async (_name, { faults, origin: from = origin, challenge = logInChallenge }) => {
      const { passkey } = await anOperatorWithPasskey()
      const credential = answerWith(passkey, { challenge: await challenge(), origin: from }, faults)
      expect(await logInWith(credential)).toEqual(refused)
    },
  )

  const clientDataJSON = Buffer.from('{}').toString('base64url')
  test.each([
    ...['', '{', '[]', 'null', '{"id":1}', '{"id":"x","response":{}}'],
    ...['ID', '\\u0000', 'x'.repeat(2000)].map(
      (id) => `{"id":"${id}","response":{"clientDataJSON":"${clientDataJSON}"}}`,
    ),
    ...[{ clientDataJSON }, { clientDataJSON: '!' }, { clientDataJSON, authenticatorData: 'AAAA', signature: 7 }].map(
      (response) => JSON.stringify({ id: 'ID', rawId: 'ID', type: 'public-key', response, clientExtensionResults: {} }),
    ),
  ])('a log-in with the malformed passkey response %.60s is refused', async (credential) => {
    const { passkey } = await anOperatorWithPasskey()
    expect(await logInWith(credential.replaceAll('ID', passkey.id))).toEqual(refused)
  })

  test('a log-in with a passkey is refused if its challenge was used before or is used concurrently', async () => {
    const { passkey } = await anOperatorWithPasskey()
    const credential = answerWith(passkey, { challenge: await logInChallenge(), origin })
    const answers = await Promise.all(Array.from({ length: 10 }, () => logInWith(credential)))
    expect(answers.filter(({ redirectTo }) => redirectTo === '/admin')).toHaveLength(1)
    expect(await logInWith(credential)).toEqual(refused)
    await deleteOldChallenges(db())
    expect(await logInWith(credential)).toEqual(refused)
  })

  test('a log-in with a passkey is refused if the signature counter did not increase', async () => {
    const { passkey } = await anOperatorWithPasskey(1)
    const copy = { ...passkey }
    const [first, second] = [await logInChallenge(), await logInChallenge()]
    expect((await logInWith(answerWith(passkey, { challenge: first, origin }))).redirectTo).toBe('/admin')
    expect(await logInWith(answerWith(copy, { challenge: second, origin }))).toEqual(refused)
  })
})

describe('a refused new passkey', () => {
  test('a new passkey is refused after a wrong code, and the code counts as a failed log-in', async () => {
    const { cookies, operatorId } = await anOperator()
    const next = await submitPasskeyCode(form({ code: '000000' }), cookies)
    expect(next).toEqual({ redirectTo: '/admin/sessions?failed=code#passkeys' })
    const [failures] = await db().sign_in_failures.findMany({ where: { subject: `step_up ${operatorId}` } })
    expect(failures?.count).toBe(1)
  })

  test('a new passkey is refused if its challenge was used, or belongs to another session or to a log-in', async () => {
    const { cookies, challenge, credential } = await anOperatorWithPasskey()
    const other = await anOperator()
    for (const given of [await challengeFor(other), await logInChallenge()]) {
      expect(await addPasskeyPage(given, cookies)).toBeNull()
      const { credential: wrong } = createPasskey({ challenge: given, origin })
      expect(await submitPasskey(form({ credential: wrong, name: 'x' }), cookies)).toEqual(notAdded)
    }
    expect(await submitPasskey(form({ credential, name: 'again' }), cookies)).toEqual(notAdded)
    const { credential: second } = createPasskey({ challenge, origin })
    expect(await submitPasskey(form({ credential: second, name: 'second' }), cookies)).toEqual(notAdded)
    expect(await passkeyRows(cookies)).toHaveLength(1)
  })

  test.each<[string, Faults, string]>([
    ['without a fingerprint or a PIN', { unverified: true }, origin],
    ['for another host', { rpId: 'evil.example' }, origin],
    ['from another origin', {}, 'http://evil.example'],
  ])('a new passkey is refused %s', async (_name, faults, from) => {
    const operator = await anOperator()
    const { credential } = createPasskey({ challenge: await challengeFor(operator), origin: from }, faults)
    expect(await submitPasskey(form({ credential, name: 'x' }), operator.cookies)).toEqual(notAdded)
  })

  test('a twenty-first passkey is refused, even if the calls are concurrent', async () => {
    const operator = await anOperatorWithPasskey()
    const { operatorId, cookies } = operator
    const [row] = await db().operator_passkeys.findMany({ where: { operator_id: operatorId } })
    if (!row) throw new Error('there is no passkey')
    const rows = Array.from({ length: 17 }, (_, n) => ({
      ...row,
      id: `${row.id}${n}`,
      credential_id: `credential${n}`,
    }))
    await db().operator_passkeys.createMany({ data: rows })
    const credentials = []
    for (let n = 1; n <= 4; n++)
      credentials.push(createPasskey({ challenge: await challengeFor(operator, n), origin }).credential)
    const answers = await Promise.all(
      credentials.map((credential) => submitPasskey(form({ credential, name: 'x' }), cookies)),
    )
    expect(answers.filter(({ redirectTo }) => redirectTo.includes('done'))).toHaveLength(2)
    const page = await addPasskeyPage(await challengeFor(operator, 5), cookies)
    expect(page).toMatchObject({ problem: 'many', options: { excludeCredentials: expect.any(Array) } })
  })
})

test('a code of an authenticator app opens the page that adds a passkey', async () => {
  const operator = await anOperator()
  const found = await findOperator(db(), { id: operator.operatorId })
  const code = new TOTP({ secret: Secret.fromBase32((found && openTotpSecret(found)) ?? '') }).generate({
    timestamp: Date.now() + 30_000,
  })
  const next = await submitPasskeyCode(form({ code }), operator.cookies)
  expect(next.redirectTo).toMatch(/^\/admin\/sessions\/passkeys\?challenge=[\w-]+$/)
})
