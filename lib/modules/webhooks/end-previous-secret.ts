import { Refusal } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { transact } from '../events/transact.ts'
import * as store from './store.ts'

/**
 * Stops signing with the replaced secret. Does nothing if no replaced secret signs. Refuses `not_found`. `call` has
 * what commits with the change; by default the audit entry of the command line.
 */
export async function endPreviousSecret(id: string, call?: RequestContext): Promise<{ endpointId: string }> {
  const context = call ?? (await typed(id))
  return transact(context, async ({ sql, storefrontId, testmode }) => {
    if (!(await store.lockEndpoint(sql, { storefrontId, testmode }, id))) throw new Refusal('not_found')
    await store.clearPreviousSecret(sql, id)
    return { endpointId: id }
  })
}

async function typed(id: string): Promise<RequestContext> {
  const tenant = await store.findTenantOfEndpoint(db(), id)
  if (!tenant) throw new Refusal('not_found')
  return audited(tenant, commandLine(), { action: 'endpoint.end_previous_secret', subject: id })
}
