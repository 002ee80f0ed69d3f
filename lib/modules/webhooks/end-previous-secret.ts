import { Refusal } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { transact } from '../events/transact.ts'
import * as store from './store.ts'

/** Ends the use of the replaced secret, if one is in use. Without `call`, the audit entry names the operator's command line. Throws `not_found`. */
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
