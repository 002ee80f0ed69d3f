import * as billingUpdates from '../modules/billing-updates/store.ts'
import * as invoiceUpdates from '../modules/invoice-updates/store.ts'
import { deleteOldStaffForms } from '../modules/operators/form-keys.ts'
import { deleteOldChallenges } from '../modules/operators/passkey-store.ts'
import * as operators from '../modules/operators/store.ts'
import { deleteOldEmailChanges } from '../modules/portal/email-changes.ts'
import { deleteOldSessions } from '../modules/portal/store.ts'
import { deleteOldAttempts } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { every } from '../platform/every.ts'
import { deleteOldAnswers } from '../platform/http/idempotency.ts'
import { deleteOldLimits } from '../platform/http/shared-limits.ts'
import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { revokeUnusedMandates } from '../workflows/mandates/revoke.ts'

const everyMs = 10 * 60_000

/**
 * Deletes what is past its time: stored answers, delivery attempts, portal sessions, and what was typed or prefilled behind expired links; and has
 * mandates revoked that nothing uses.
 */
export async function housekeeping(): Promise<void> {
  await deleteOldAnswers()
  await deleteOldLimits()
  await deleteOldAttempts(db())
  await billingUpdates.clearExpiredLinks(db())
  await deleteOldSessions(db())
  await deleteOldEmailChanges(db())
  await operators.deleteOldSessions(db())
  await deleteOldChallenges(db())
  await deleteOldStaffForms(db())
  await invoiceUpdates.clearExpiredDrafts(db())
  await revokeUnusedMandates()
}

/** Runs `housekeeping` every ten minutes. Returns how to stop it; that waits for a run in progress. */
export function startHousekeeping(): () => Promise<void> {
  return every(everyMs, housekeeping, (error) => log.error({ error: shortError(error) }, 'housekeeping failed'))
}
