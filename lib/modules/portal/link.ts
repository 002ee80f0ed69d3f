import { hostedPath } from '../../kernel/hosted-pages.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { storefrontExists } from '../accounts/store.ts'
import type { Transaction } from '../events/transact.ts'
import { type LinkLifetime, newSession, type PortalSession } from './rules/session.ts'
import { insertSession } from './store.ts'

/** The path is derived from the session id, so the database does not store the path. */
export const portalLinkPath = (sessionId: string): string => hostedPath('portal/link', linkToken('portal', sessionId))

const signInKind = (testmode: boolean) => (testmode ? 'portal_sign_in_test' : 'portal_sign_in')

/** Returns a permanent path, which differs between test mode and live mode. */
export const portalSignInPath = ({ storefrontId, testmode }: Tenant): string =>
  hostedPath('portal/sign-in', linkToken(signInKind(testmode), storefrontId))

export async function signInTenant(token: string): Promise<Tenant | null> {
  for (const testmode of [false, true]) {
    const storefrontId = openLinkToken(signInKind(testmode), 'storefront_', token)
    if (storefrontId !== null && (await storefrontExists(db(), storefrontId))) return { storefrontId, testmode }
  }
  return null
}

export async function makeSession(
  { sql, now, newId, ...tenant }: Transaction,
  session: Pick<PortalSession, 'customerId' | 'returnUrl'>,
  lifetime: LinkLifetime,
): Promise<PortalSession> {
  const made = newSession({ id: newId('portal_session_'), ...session }, lifetime, now)
  await insertSession(sql, tenant, made)
  return made
}
