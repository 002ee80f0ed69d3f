import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { toWire } from '../../kernel/moment.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { transact } from '../../modules/events/transact.ts'
import { announceNewBrowser } from '../../modules/operators/announce.ts'
import { type Browser, type Next, newSession, operatorCookie } from '../../modules/operators/begin-session.ts'
import { knownDevice, rememberDevice } from '../../modules/operators/devices.ts'
import { emailOperator } from '../../modules/operators/email-operator.ts'
import { actorOf, findSignedIn, signIn } from '../../modules/operators/manage-sessions.ts'
import type { AddPasskeyPage, PasskeyRow } from '../../modules/operators/page.ts'
import {
  deletePasskeys,
  findPasskey,
  insertPasskey,
  passkeysOf,
  recordPasskeyUse,
  spendChallenge,
} from '../../modules/operators/passkey-store.ts'
import { confirmsCode } from '../../modules/operators/step-up.ts'
import { insertSession, lockOperator } from '../../modules/operators/store.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { sessionCookie } from '../../platform/http/cookies.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { challengeHash, isChallenge, newChallenge } from './challenge.ts'

/**
 * A log-in with a passkey (Web Authentication, W3C) needs neither a password nor a code. The device is the first
 * factor, and its check of a fingerprint, a face, or a PIN is the second factor.
 */

const mostPasskeys = 20
const sessionsPath = '/admin/sessions'
const addPath = '/admin/sessions/passkeys'

const relyingParty = () => ({ name: 'Billhook', id: new URL(config().publicBaseUrl).hostname })
const expected = () => ({ expectedOrigin: config().publicBaseUrl, expectedRPID: relyingParty().id })
const userHandleOf = (operatorId: string) => Buffer.from(operatorId).toString('base64url')
const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'))

export const logInOptions = async (): Promise<object> =>
  generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: bytesOf(newChallenge('log_in', realNow())),
    userVerification: 'required',
  })

/** Every failure has the same response, so that a caller learns nothing about accounts. */
export async function submitPasskeyLogIn(form: URLSearchParams, browser: Browser): Promise<Next> {
  const refused = { redirectTo: `${signIn}?passkey-refused` }
  const answer = credentialOf<AuthenticationResponseJSON>(form)
  const passkey = answer && (await findPasskey(db(), answer.id))
  if (!passkey) return refused
  const { operatorId } = passkey
  const challenge = challengeOf(answer)
  const isRight = (given: string) => given === challenge && isChallenge(given, 'log_in', realNow())
  const credential = { id: passkey.credentialId, publicKey: passkey.publicKey, counter: Number(passkey.counter) }
  const verification = await verifyAuthenticationResponse({
    ...expected(),
    response: answer,
    expectedChallenge: isRight,
    credential,
    requireUserVerification: true,
  }).catch(() => null) // The WebAuthn library throws on an invalid response.
  // The passkey was found by its id alone, so the authenticator must also name the account (Web Authentication, 7.2, step 6).
  if (!verification?.verified || answer.response.userHandle !== userHandleOf(operatorId)) return refused
  const { secret, hash } = newSecret()
  const opened = await transact(everywhere, async (tx) => {
    const { sql } = tx
    // The lock prevents a log-in during a reset of the second factor, because such a reset removes the passkeys.
    const operator = await lockOperator(sql, operatorId)
    const now = realNow()
    const current = await findPasskey(sql, passkey.credentialId)
    // If another log-in has changed the counter, this response may come from a copy of the authenticator.
    if (!operator || current?.counter !== passkey.counter) return null
    if (!(await spendChallenge(sql, challengeHash(challenge), now))) return null
    await recordPasskeyUse(sql, passkey.id, { counter: BigInt(verification.authenticationInfo.newCounter), at: now })
    const session = { ...newSession(operatorId, browser, now), verifiedAt: now }
    await insertSession(sql, session, hash)
    const cookies = browser.cookies ?? null
    const device = await knownDevice(sql, { email: operator.email, cookies, isFull: true })
    const deviceCookie = await rememberDevice(sql, { operatorId, cookies, isVerified: true, now })
    await writeAudit(sql, actorOf({ session, operator }), {
      action: 'operator.log_in',
      subject: operatorId,
      before: null,
      after: { session: session.id, passkey: passkey.id },
    })
    await announceNewBrowser(tx, { operator, device, address: browser.address, now })
    return { deviceCookie }
  })
  if (!opened) return refused
  return { redirectTo: '/admin', cookie: sessionCookie(operatorCookie, secret, 'Strict'), ...opened }
}

export async function passkeyRows(cookies: string | null): Promise<PasskeyRow[] | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return null
  return (await passkeysOf(db(), found.operator.id)).map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/** Checks a second-factor code, because a session alone is not enough to add a passkey. Redirects to a page with a new challenge. */
export async function submitPasskeyCode(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  if (!(await confirmsCode(form.get('code') ?? '', cookies)))
    return { redirectTo: `${sessionsPath}?failed=code#passkeys` }
  return { redirectTo: `${addPath}?challenge=${newChallenge({ addIn: found.session.id }, realNow())}` }
}

/** Returns null if no session is open, if `challenge` has expired, or if `submitPasskeyCode` did not issue `challenge` for this session. */
export async function addPasskeyPage(challenge: string, cookies: string | null): Promise<AddPasskeyPage | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open' || !isChallenge(challenge, { addIn: found.session.id }, realNow())) return null
  const { id, email } = found.operator
  const known = await passkeysOf(db(), id)
  const options = await generateRegistrationOptions({
    rpName: relyingParty().name,
    rpID: relyingParty().id,
    userName: email,
    userID: new Uint8Array(Buffer.from(userHandleOf(id), 'base64url')),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { options, problem: known.length >= mostPasskeys ? 'many' : null }
}

export async function submitPasskey(form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  const { session, operator } = found
  const refused = { redirectTo: `${sessionsPath}?failed=passkey#passkeys` }
  const name = (form.get('name') ?? '').trim().slice(0, 60) || 'Passkey'
  const answer = credentialOf<RegistrationResponseJSON>(form)
  if (!answer) return refused
  const challenge = challengeOf(answer)
  const isRight = (given: string) => given === challenge && isChallenge(given, { addIn: session.id }, realNow())
  const verification = await verifyRegistrationResponse({
    ...expected(),
    response: answer,
    expectedChallenge: isRight,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verification?.verified) return refused
  const { credential } = verification.registrationInfo
  const isAdded = await transact(everywhere, async (tx) => {
    const { sql } = tx
    // The lock keeps concurrent calls within the limit, and prevents a new passkey during a reset of the second factor.
    const now = realNow()
    if (!(await lockOperator(sql, operator.id))?.totpSince) return false
    if ((await passkeysOf(sql, operator.id)).length >= mostPasskeys) return false
    if (!(await spendChallenge(sql, challengeHash(challenge), now))) return false
    const id = newId('passkey_', now)
    const added = await insertPasskey(sql, {
      id,
      operatorId: operator.id,
      credentialId: credential.id,
      name,
      createdAt: now,
      lastUsedAt: null,
      publicKey: new Uint8Array(credential.publicKey),
      counter: BigInt(credential.counter),
    })
    if (!added) return false
    const change = { action: 'operator.add_passkey', subject: id }
    await writeAudit(sql, actorOf(found), { ...change, before: null, after: null })
    await emailOperator(tx, operator, {
      kind: 'passkey_added',
      passkeyName: name,
      addedAt: toWire(now),
      url: pageUrl(sessionsPath),
    })
    return true
  })
  return isAdded ? { redirectTo: `${sessionsPath}?done=passkeyAdded#passkeys` } : refused
}

export async function submitRemovePasskey(id: string, form: URLSearchParams, cookies: string | null): Promise<Next> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return { redirectTo: signIn }
  const known = (await passkeysOf(db(), found.operator.id)).find((each) => each.id === id)
  if (!known) return { redirectTo: `${sessionsPath}#passkeys` }
  if (!(await confirmsCode(form.get('code') ?? '', cookies)))
    return { redirectTo: `${sessionsPath}?failed=code-${id}#passkeys` }
  await transact(everywhere, async (tx) => {
    if ((await deletePasskeys(tx.sql, { operatorId: found.operator.id, id })) === 0) return
    const change = { action: 'operator.remove_passkey', subject: id }
    await writeAudit(tx.sql, actorOf(found), { ...change, before: null, after: null })
    await emailOperator(tx, found.operator, {
      kind: 'own_access_changed',
      change: { of: 'passkeyRemoved', name: known.name, url: pageUrl(sessionsPath) },
    })
  })
  return { redirectTo: `${sessionsPath}?done=passkeyRemoved#passkeys` }
}

function credentialOf<Answer extends { id: string; response: { clientDataJSON: string } }>(
  form: URLSearchParams,
): Answer | null {
  try {
    const answer = JSON.parse(form.get('credential') ?? '')
    const isWhole = /^[\w-]{1,1400}$/.test(answer?.id) && typeof answer?.response?.clientDataJSON === 'string'
    return isWhole ? answer : null
  } catch {
    return null
  }
}

function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    return String(JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')).challenge)
  } catch {
    return ''
  }
}
