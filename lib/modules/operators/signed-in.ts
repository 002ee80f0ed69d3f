import { isNewUse } from '../../kernel/browser-session.ts'
import type { Locale } from '../../kernel/locale.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { secretHashIn } from '../../platform/http/browser-secret.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { operatorCookie, secondFactor } from './begin-session.ts'
import { type OperatorSession, sessionState } from './rules/session.ts'
import * as store from './store.ts'

export const signIn = '/admin/sign-in'
export const sessionsPath = '/admin/sessions'
/** The page on which a person requests a password reset link. */
export const forgottenPath = '/admin/password'

export interface SignedIn {
  readonly session: OperatorSession
  readonly operator: store.Operator
  readonly state: 'open' | 'half'
}

/** The person of a signed-in browser. Null if the browser is not signed in. */
export async function findSignedIn(cookies: string | null): Promise<SignedIn | null> {
  const hash = secretHashIn(cookies, operatorCookie)
  const session = hash && (await store.findSession(db(), hash))
  const state = session ? sessionState(session, realNow()) : 'over'
  if (!session || state === 'over') return null
  const operator = await store.findOperator(db(), { id: session.operatorId })
  return operator && { session, operator, state }
}

/** A person who is logged in to the admin area. */
export interface SignedInPerson {
  readonly actor: Actor
  readonly email: string
  /** The member's merchant and role. Null for the service's own staff. */
  readonly membership: store.Membership | null
}

/** The signed-in staff member. Null for members of merchants and for everybody else. */
export async function staffOf(cookies: string | null): Promise<SignedInPerson | null> {
  const person = await personOf(cookies)
  return person?.membership === null ? person : null
}

/** The person of a browser after both factors. Each call extends the session. Null for any other browser. */
export async function personOf(cookies: string | null): Promise<SignedInPerson | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return null
  const { session, operator } = found
  const now = realNow()
  if (isNewUse(session, now)) await store.recordUse(db(), session.id, now)
  return { actor: actorOf(found), email: operator.email, membership: operator.membership }
}

export const actorOf = ({ session, operator }: { session: { address: string }; operator: store.Operator }): Actor => ({
  kind: operator.membership ? 'member' : 'operator',
  id: operator.id,
  address: session.address,
})

export interface WayIn {
  /** The page for a browser without access: the sign-in, or its second factor. Null for a browser with access. */
  readonly to: string | null
  /** The language of the person; null before the sign-in. */
  readonly language: Locale | null
}

/** The sign-in page that a browser must open before the admin area, and the language of the person. */
export async function wayIn(cookies: string | null): Promise<WayIn> {
  const found = await findSignedIn(cookies)
  const to = found?.state === 'open' ? null : found ? secondFactor : signIn
  return { to, language: found?.operator.locale ?? null }
}
