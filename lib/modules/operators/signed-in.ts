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

/** Returns the session and its operator, even if the second factor is missing. Returns null for an ended session. */
export async function findSignedIn(cookies: string | null): Promise<SignedIn | null> {
  const hash = secretHashIn(cookies, operatorCookie)
  const session = hash && (await store.findSession(db(), hash))
  const state = session ? sessionState(session, realNow()) : 'over'
  if (!session || state === 'over') return null
  const operator = await store.findOperator(db(), { id: session.operatorId })
  return operator && { session, operator, state }
}

export interface SignedInPerson {
  readonly actor: Actor
  readonly email: string
  readonly language: Locale
  /** Staff have no membership. */
  readonly membership: store.Membership | null
}

/** Returns null until both factors are entered. Each call extends the session. */
export async function personOf(cookies: string | null): Promise<SignedInPerson | null> {
  const found = await findSignedIn(cookies)
  if (found?.state !== 'open') return null
  const { session, operator } = found
  const now = realNow()
  if (isNewUse(session, now)) await store.recordUse(db(), session.id, now)
  const { email, locale, membership } = operator
  return { actor: actorOf(found), email, language: locale, membership }
}

export const actorOf = ({ session, operator }: { session: { address: string }; operator: store.Operator }): Actor => ({
  kind: operator.membership ? 'member' : 'operator',
  id: operator.id,
  address: session.address,
})

export interface WayIn {
  /** The page of the next sign-in step; null for a browser with access. */
  readonly to: string | null
  /** Null before the password was entered. */
  readonly language: Locale | null
}

export async function wayIn(cookies: string | null): Promise<WayIn> {
  const found = await findSignedIn(cookies)
  const to = found?.state === 'open' ? null : found ? secondFactor : signIn
  return { to, language: found?.operator.locale ?? null }
}
