import type { z } from 'zod'
import { unsealAddress } from '../../modules/emails/sealed-address.ts'
import { transact } from '../../modules/events/transact.ts'
import { emailOperator } from '../../modules/operators/email-operator.ts'
import { insertReset, newestResets } from '../../modules/operators/password-resets.ts'
import { mayAskAgain, resetExpiryOf } from '../../modules/operators/rules/password-reset.ts'
import { findOperator, lockOperator } from '../../modules/operators/store.ts'
import type { emailPasswordLink } from '../../modules/operators/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { passwordPath } from './link.ts'

/**
 * Emails a link to set a new password. Sends no email if the address is unknown, or if too many links were recently
 * sent to it. Also sends no email if the key that encrypted the address is lost.
 */
export async function emailLink(
  tenant: TaskContext,
  { key, sealedEmail }: z.infer<typeof emailPasswordLink.data>,
): Promise<void> {
  const email = unsealAddress(sealedEmail, key)
  await transact(tenant, async (tx) => {
    const { sql } = tx
    const known = email === null ? null : await findOperator(sql, { email })
    const operator = known && (await lockOperator(sql, known.id))
    const now = realNow()
    if (!operator || !mayAskAgain(await newestResets(sql, operator.id), now)) return
    const { secret, hash } = newSecret()
    const reset = { id: tx.newId('password_reset_'), operatorId: operator.id, createdAt: now }
    await insertReset(sql, { ...reset, expiresAt: resetExpiryOf(now) }, hash)
    await emailOperator(tx, operator, { kind: 'password_reset', url: pageUrl(passwordPath(secret)) })
  })
}
