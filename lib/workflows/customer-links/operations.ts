import { addDuration } from '../../kernel/calendar.ts'
import { Refusal } from '../../kernel/refusal.ts'
import * as billingUpdates from '../../modules/billing-updates/link.ts'
import { type Customer, findCustomer, lockForEmail } from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { CustomerLink } from '../../modules/emails/rules/email.ts'
import { countEmailsTo } from '../../modules/emails/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import * as invoiceUpdates from '../../modules/invoice-updates/link.ts'
import { isSale, type Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { type PortalBlock, portalBlock } from '../../modules/portal/eligibility.ts'
import { makeSession, portalLinkPath } from '../../modules/portal/link.ts'
import { isOngoing, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { customerAsRecipient } from '../customer-emails/recipients.ts'

export interface LinkFor {
  readonly link: CustomerLink
  readonly id: string
}

export type LinkBlock = PortalBlock | 'not_ongoing' | 'not_invoiced'

const refusalOf = {
  erased: 'portal_not_eligible',
  no_invoice: 'portal_not_eligible',
  not_ongoing: 'subscription_not_changeable',
  not_invoiced: 'illegal_move',
} as const

interface Target {
  readonly customer: Customer
  readonly about: string
  readonly block: LinkBlock | null
}

async function targetOf(sql: Sql, tenant: Tenant, { link, id }: LinkFor): Promise<Target | null> {
  const of = link === 'payment_method' ? await findSubscription(sql, tenant, id) : null
  const order = link === 'invoice' ? await findOrder(sql, tenant, id) : null
  const customerId = link === 'portal' ? id : (of ?? order)?.customerId
  const customer = customerId ? await findCustomer(sql, tenant, customerId) : null
  if (!customer) return null
  const about = of?.name ?? order?.invoice?.number ?? ''
  if (customer.erasedAt) return { customer, about, block: 'erased' }
  if (link === 'portal') return { customer, about, block: await portalBlock(sql, tenant, customer) }
  return { customer, about, block: blockOf(of, order) }
}

const blockOf = (subscription: Subscription | null, order: Order | null): LinkBlock | null => {
  if (subscription) return isOngoing(subscription) ? null : 'not_ongoing'
  return order?.invoice && isSale(order) ? null : 'not_invoiced'
}

/** Returns the reason why the link cannot be created, or null. Refuses with `not_found`. */
export async function linkBlock(sql: Sql, tenant: Tenant, asked: LinkFor): Promise<LinkBlock | null> {
  const target = await targetOf(sql, tenant, asked)
  if (!target) throw new Refusal('not_found')
  return target.block
}

/**
 * Refuses with `not_found`, `portal_not_eligible`, or `subscription_not_changeable`. Refuses with `illegal_move` for a
 * credit note, for an invoice that replaces another invoice, and for an order without an invoice.
 */
export const createLink = (context: RequestContext, asked: LinkFor): Promise<string> =>
  transact(context, async (tx) => {
    await requireTarget(tx, asked)
    return addLink(tx, asked, 'merchant')
  })

const mostEmails = 3

/** Emails the link in the customer's language. After `mostEmails` emails within 24 hours, creates no link and returns `limit_reached`. */
export const emailLink = (context: RequestContext, asked: LinkFor): Promise<'sent' | 'limit_reached'> =>
  transact(context, async (tx) => {
    const { customer, about } = await requireTarget(tx, asked)
    if (!(await mayEmail(tx, customer))) return 'limit_reached'
    const url = addressOf(asked.link, await addLink(tx, asked, 'email'))
    const { to, locale, common } = await customerAsRecipient(tx, customer)
    const subject = asked.link === 'payment_method' && { subscriptionId: asked.id }
    const content = { ...common, kind: 'customer_link' as const, link: asked.link, about, url }
    await enqueueEmail(tx, { to, locale, content, ...subject })
    return 'sent'
  })

/** The lock on the customer makes concurrent calls count the emails one after another, and prevents a concurrent erasure. */
async function requireTarget({ sql, ...tenant }: Transaction, asked: LinkFor): Promise<Target> {
  const found = await targetOf(sql, tenant, asked)
  if (found) await lockForEmail(sql, found.customer.id)
  const target = found && (await targetOf(sql, tenant, asked))
  if (!target) throw new Refusal('not_found')
  if (target.block) throw new Refusal(refusalOf[target.block])
  return target
}

async function mayEmail({ sql, now, ...tenant }: Transaction, { id: customerId }: Customer): Promise<boolean> {
  const after = addDuration(now, { days: -1 }) ?? now
  return (await countEmailsTo(sql, tenant, { customerId, kinds: ['customer_link'], after })) < mostEmails
}

/** An emailed portal link is valid longer than a copied portal link. All other links are valid for a day. */
async function addLink(tx: Transaction, { link, id }: LinkFor, portalLifetime: 'merchant' | 'email'): Promise<string> {
  const nowhere = { redirectUrlSuccess: null, redirectUrlCanceled: null, billingAddress: null }
  switch (link) {
    case 'portal':
      return (await makeSession(tx, { customerId: id, returnUrl: null }, portalLifetime)).id
    case 'payment_method':
      return billingUpdates.addLink(tx, { subscriptionId: id, ...nowhere }, 'merchant')
    case 'invoice':
      return invoiceUpdates.addLink(tx, id)
  }
}

const paths = {
  portal: portalLinkPath,
  payment_method: billingUpdates.billingUpdatePath,
  invoice: invoiceUpdates.invoiceUpdatePath,
} as const

/** The URL is derived from the id of the link and never stored. */
export const addressOf = (link: CustomerLink, linkId: string): string => pageUrl(paths[link](linkId))
