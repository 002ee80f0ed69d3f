import type { z } from 'zod'
import { findCustomerByEmail, shareCustomer } from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { unsealAddress } from '../../modules/emails/sealed-address.ts'
import { countEmailsTo } from '../../modules/emails/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { lastLocale } from '../../modules/orders/store.ts'
import { makeSession, portalLinkPath } from '../../modules/portal/link.ts'
import { requestedLinks } from '../../modules/portal/rules/session.ts'
import type { emailPortalLink } from '../../modules/portal/tasks.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { customerAsRecipient } from '../customer-emails/recipients.ts'

/**
 * Emails a link to the portal. Sends no email if the address has no purchase, or if too many links were recently sent
 * to it. Also sends no email if the key that encrypted the address is lost.
 */
export async function emailLink(
  tenant: TaskContext,
  { key, sealedEmail, cancels = false }: z.infer<typeof emailPortalLink.data>,
): Promise<void> {
  const email = unsealAddress(sealedEmail, key)
  await transact(tenant, async (tx) => {
    const { sql, now, ...of } = tx
    const found = email === null ? null : await findCustomerByEmail(sql, of, email)
    // The customer may have been erased or may have another address now, so the customer is read again under a lock.
    const customer = found && (await shareCustomer(sql, of, found.id))
    if (!customer || customer.erasedAt || customer.email !== email) return
    const hasBought = (await lastLocale(sql, of, customer.id)) !== null
    // Only emails that the customer requested count. Otherwise links that a merchant creates or sends again would keep the customer from signing in.
    const after = new Date(now.getTime() - requestedLinks.withinMs)
    const asked = { customerId: customer.id, kinds: ['portal_link'], after, withoutResends: true } as const
    const sent = await countEmailsTo(sql, of, asked)
    if (!hasBought || sent >= requestedLinks.most) return
    const { id } = await makeSession(tx, { customerId: customer.id, returnUrl: null }, 'email')
    const url = `${pageUrl(portalLinkPath(id))}${cancels ? '?cancel' : ''}`
    const { to, locale, common } = await customerAsRecipient(tx, customer)
    await enqueueEmail(tx, { to, locale, content: { ...common, kind: 'portal_link', url } })
  })
}
