import type { z } from 'zod'
import { findCustomerByEmail, lockCustomer } from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { transact } from '../../modules/events/transact.ts'
import { emailChangePath, findEmailChangeAnywhere, wishesForAddress } from '../../modules/portal/email-changes.ts'
import { emailChangeState, mayChangeAgain } from '../../modules/portal/rules/email-change.ts'
import type { emailChangeLink } from '../../modules/portal/tasks.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { customerAsRecipient } from '../customer-emails/recipients.ts'

/**
 * Emails the link that confirms the new address. Sends no email if another customer has the address, or if too many
 * links were recently sent to it.
 */
export async function emailLink(
  tenant: TaskContext,
  { changeId }: z.infer<typeof emailChangeLink.data>,
): Promise<void> {
  await transact(tenant, async (tx) => {
    const { sql, now, ...of } = tx
    const found = await findEmailChangeAnywhere(sql, changeId)
    const customer = found && (await lockCustomer(sql, of, found.change.customerId))
    if (!found || !customer || customer.erasedAt) return
    if (emailChangeState(found.change, { email: customer.email, now }) !== 'usable') return
    const { change } = found
    const isHeld = (await findCustomerByEmail(sql, of, change.to)) !== null
    if (isHeld || !mayChangeAgain(await wishesForAddress(sql, of, change), now)) return
    const { locale, common } = await customerAsRecipient(tx, customer)
    const content = { ...common, kind: 'email_change', url: pageUrl(emailChangePath(change.id)) } as const
    await enqueueEmail(tx, { to: change.to, locale, content })
  })
}
