import { canonicalEmail } from '../../kernel/email.ts'
import { invalid } from '../../kernel/refusal.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { isTimedSignature } from '../../platform/crypto/signing.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { parseShape } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireStorefront } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { tenantsWithEmail } from '../customers/store.ts'
import { transact } from '../events/transact.ts'
import { type Notice, NoticesShape } from './notice-shape.ts'
import { causeOf } from './rules/suppression.ts'
import { findEmailAnywhere, markReturned } from './store.ts'
import { heldSuppressions, liftSuppressions, suppress } from './suppressions.ts'

/**
 * Records notices about bounced emails and spam complaints. Returns null if no secret is configured, and false if the request is too old or not signed with our
 * secret. Notices may arrive repeatedly and in any order. The response does not reveal whether an email or address is known. If the function throws
 * `validation_failed`, it records no notices.
 */
export async function receiveEmailNotices(
  signature: string | null,
  { readBody, parse }: { readBody: () => Promise<Uint8Array>; parse: (body: Uint8Array) => unknown },
): Promise<boolean | null> {
  const secret = config().emailNoticesSecret
  if (secret === null) return null
  const body = await readBody()
  if (!isTimedSignature(signature, secret, { body, now: realNow() })) return false
  const { notices } = parseShape(NoticesShape, parse(body))
  for (const notice of notices) await db().$transaction((sql) => record(sql, notice))
  return true
}

async function record(sql: Sql, notice: Notice): Promise<void> {
  const { type, permanent, messageId, reason = null } = notice
  // Replaces a future time in a notice with the current time. Otherwise, a later lift by staff would count as older
  // than the notice, and the suppression would stay.
  const at = new Date(Math.min(notice.at.getTime(), realNow().getTime()))
  const found = messageId ? await findEmailAnywhere(sql, messageId) : null
  if (found) await markReturned(sql, found.email.id, { type, permanent, at })
  const cause = causeOf({ type, permanent })
  if (cause === null) return
  const named = { cause, reason, at }
  // An erased customer's email has no address.
  if (found?.email.to) await suppress(sql, found.tenant, { ...named, address: found.email.to })
  else if (!found && notice.address) {
    const { address } = notice
    for (const tenant of await tenantsWithEmail(sql, address)) await suppress(sql, tenant, { ...named, address })
  }
}

export async function listSuppressed(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
) {
  await requireStorefront(db(), storefrontId)
  return heldSuppressions(db(), storefrontId, testmode, limit)
}

/**
 * Lifts the suppression of an address. A notice that is older than the lift but arrives after the lift does not restore the suppression. Throws
 * `validation_failed` if the address is not suppressed. Without `call`, the audit log names the command line as the actor.
 */
export async function liftSuppression(
  tenant: Tenant,
  typed: string,
  // The audit entry has no address, because audit entries are never deleted.
  call: RequestContext = audited(tenant, commandLine(), { action: 'email.lift', subject: tenant.storefrontId }),
) {
  const address = canonicalEmail(typed)
  return transact(call, async ({ sql }) => {
    const lifted = address === null ? 0 : await liftSuppressions(sql, tenant, address, realNow())
    if (lifted === 0) throw invalid('address', 'This address is not suppressed.')
    return { address, lifted }
  })
}
