import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireStorefront } from '../accounts/store.ts'
import { shareCustomer, tenantOfCustomer } from '../customers/store.ts'
import { transact } from '../events/transact.ts'
import type { createPortalSession } from './contract.ts'
import { portalBlock, portalBlocks } from './eligibility.ts'
import { makeSession, portalSignInPath } from './link.ts'
import type { CreatedSession } from './resource.ts'
import { endSessionsOf } from './store.ts'

export { portalSessionResource } from './resource.ts'

/**
 * Creates a portal session. The result is stored, so it must not contain the secret URL. Throws `not_found` or
 * `portal_not_eligible`.
 */
export async function createSession(
  context: RequestContext,
  customerId: string,
  { returnUrl = null }: z.infer<typeof createPortalSession.body & object>,
): Promise<CreatedSession> {
  return transact(context, async (tx) => {
    const { sql, ...tenant } = tx
    const customer = await shareCustomer(sql, tenant, customerId)
    if (!customer) throw new Refusal('not_found')
    const block = await portalBlock(sql, tenant, customer)
    if (block) throw new Refusal('portal_not_eligible', {}, { message: portalBlocks[block] })
    const { id, expiresAt } = await makeSession(tx, { customerId, returnUrl }, 'merchant')
    return { id, expiresAt: toWire(expiresAt), returnUrl }
  })
}

export async function signInPages(storefrontId: string): Promise<{ live: string; test: string }> {
  await requireStorefront(db(), storefrontId)
  const page = (testmode: boolean) => pageUrl(portalSignInPath({ storefrontId, testmode }))
  return { live: page(false), test: page(true) }
}

export async function endSessions(customerId: string): Promise<{ customerId: string; ended: number }> {
  const tenant = await tenantOfCustomer(db(), customerId)
  if (!tenant) throw invalid('customer', 'There is no customer with this id.')
  return { customerId, ended: await endSessionsOf(db(), tenant, customerId, { at: realNow() }) }
}
