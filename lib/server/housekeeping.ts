import * as billingUpdates from '../modules/billing-updates/store.ts'
import * as invoiceUpdates from '../modules/invoice-updates/store.ts'
import { deleteOldFailures } from '../modules/operators/attempt-store.ts'
import { deleteOldDevices } from '../modules/operators/devices.ts'
import { deleteOldStaffForms } from '../modules/operators/form-keys.ts'
import { deleteFormerOwners } from '../modules/operators/members.ts'
import { deleteOldChallenges } from '../modules/operators/passkey-store.ts'
import * as operators from '../modules/operators/store.ts'
import { deleteOldEmailChanges } from '../modules/portal/email-changes.ts'
import { deleteOldSessions } from '../modules/portal/store.ts'
import { deleteOldPreviews } from '../modules/subscriptions/change-previews.ts'
import { deleteOldHours } from '../modules/webhooks/health.ts'
import { deleteOldAttempts, deleteOldSecrets } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { every } from '../platform/every.ts'
import { deleteOldAnswers } from '../platform/http/idempotency.ts'
import { deleteOldLimits } from '../platform/http/shared-limits.ts'
import { log } from '../platform/log.ts'
import { shortError } from '../platform/short-error.ts'
import { revokeUnusedMandates } from '../workflows/mandates/revoke.ts'

const everyMs = 10 * 60_000

/** The log names a failed step by its key. */
const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  'stored answers': deleteOldAnswers,
  'rate limits': deleteOldLimits,
  'delivery attempts': () => deleteOldAttempts(db()),
  'hours of webhook endpoints': () => deleteOldHours(db()),
  'replaced webhook secrets': () => deleteOldSecrets(db()),
  'links to billing updates': () => billingUpdates.clearExpiredLinks(db()),
  'previews of changes': deleteOldPreviews,
  'portal sessions': () => deleteOldSessions(db()),
  'email changes': () => deleteOldEmailChanges(db()),
  "operators' sessions": () => operators.deleteOldSessions(db()),
  'former owners': () => deleteFormerOwners(db()),
  'failed sign-ins': () => deleteOldFailures(db()),
  'known browsers': () => deleteOldDevices(db()),
  'passkey challenges': () => deleteOldChallenges(db()),
  'staff forms': () => deleteOldStaffForms(db()),
  'drafts of invoice updates': () => invoiceUpdates.clearExpiredDrafts(db()),
  'unused mandates': () => revokeUnusedMandates(),
}

export async function housekeeping(): Promise<void> {
  for (const [step, take] of Object.entries(steps)) await take().catch(failed(step))
}

const failed = (step: string) => (error: unknown) =>
  log.error({ step, error: shortError(error) }, 'housekeeping failed')

/** Starts a run every ten minutes. Returns a function that stops the interval and waits for a run in progress. */
export function startHousekeeping(): () => Promise<void> {
  return every(everyMs, housekeeping, failed('all'))
}
