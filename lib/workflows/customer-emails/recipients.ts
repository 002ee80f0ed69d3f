import type { Locale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { storefrontInEmail } from '../../modules/brand/brand-view.ts'
import { type Customer, findCustomer, findCustomers } from '../../modules/customers/store.ts'
import type { ChargeNoticeEmail, EmailContent, EmailSubscription } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order, Seller } from '../../modules/orders/rules/order.ts'
import { sellerInEmail } from '../../modules/orders/seller-view.ts'
import { lastLocale } from '../../modules/orders/store.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { directDebitOf } from '../../modules/subscriptions/direct-debit.ts'
import { intervalPrice, nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { type Subscription, scheduledTerms } from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'

export interface Recipient {
  readonly to: string
  readonly locale: Locale
  readonly common: Pick<
    EmailContent,
    'storefrontName' | 'brand' | 'seller' | 'customerId' | 'customerName' | 'timeZone' | 'opensPortal'
  >
  readonly portalUrl: string
  readonly termsUrl: string | null
}

interface EmailCause {
  /** The language of the email if the customer has chosen no language. */
  readonly locale: Locale
  readonly name: string | null
  readonly seller?: Seller
  /** The address that gets the email. If it is null, the customer's address gets the email. */
  readonly email?: string | null
}

/** An email about the order of a checkout is sent to the address that was entered in the checkout. */
export async function recipientsOf(
  { sql, ...tenant }: Transaction,
  orders: readonly Order[],
): Promise<(order: Order) => Recipient> {
  const [customers, recipient] = await Promise.all([
    findCustomers(sql, tenant, [...new Set(orders.flatMap(({ customerId }) => customerId ?? []))]),
    recipientIn({ sql, ...tenant }),
  ])
  return ({ id, customerId, checkoutId, customerDetails, locale, seller }) => {
    const customer = customers.get(customerId ?? '')
    if (!customer) throw new Error(`the paid order ${id} has no customer`)
    const email = checkoutId === null ? null : customerDetails.email
    return recipient(customer, { locale, name: customerDetails.fullName, seller, email })
  }
}

export async function recipientOf(
  tx: Transaction,
  { id, customerId, billingAddress, locale }: Subscription,
  order?: Order,
): Promise<Recipient> {
  const customer = await findCustomer(tx.sql, tx, customerId)
  if (!customer) throw new Error(`subscription ${id} has no customer`)
  const recipient = await recipientIn(tx)
  return recipient(customer, { locale, name: billingAddress.fullName, ...(order && { seller: order.seller }) })
}

/** If the customer has chosen no language, uses the language of the last purchase. */
export async function customerAsRecipient(tx: Transaction, customer: Customer): Promise<Recipient> {
  const locale = customer.locale ?? (await lastLocale(tx.sql, tx, customer.id)) ?? 'en'
  const recipient = await recipientIn(tx)
  return recipient(customer, { locale, name: customer.name })
}

async function recipientIn({ sql, ...tenant }: Pick<Transaction, 'sql'> & Tenant) {
  const { storefrontName, brand, termsUrl } = await storefrontInEmail(sql, tenant.storefrontId)
  const portalUrl = pageUrl(portalSignInPath(tenant))
  return (customer: Customer, { locale, name, seller = config().seller, email = null }: EmailCause): Recipient => ({
    to: email ?? customer.email,
    locale: customer.locale ?? locale,
    common: {
      storefrontName,
      brand,
      seller: sellerInEmail(seller),
      customerId: customer.id,
      customerName: name,
      opensPortal: email === null || email === customer.email,
      timeZone: customer.timeZone,
    },
    portalUrl,
    termsUrl,
  })
}

export function agreedSubscription(
  subscription: Subscription,
  { now, testmode }: Pick<Transaction, 'now' | 'testmode'>,
): EmailSubscription {
  const { name, quantity, billingInterval, price, trialUntil, mandate, endedAt } = subscription
  const { total, subtotal } = intervalPrice(subscription, now)
  const next = nextCharge(subscription, now)
  return {
    name,
    quantity,
    every: { interval: billingInterval.interval, intervalCount: billingInterval.intervalCount },
    price: amount(total, price.currency),
    withTax: total > subtotal,
    trialUntil: trialUntil && toWire(trialUntil),
    directDebit: directDebitOf(mandate, testmode),
    nextCharge: next && next.total > 0n ? { total: amount(next.total, next.currency), at: toWire(next.at) } : null,
    ...(endedAt && { hasEnded: true }),
  }
}

export function noticedCharge(
  subscription: Subscription,
  tx: Pick<Transaction, 'now' | 'testmode'>,
): Pick<ChargeNoticeEmail, 'subscription' | 'nextCharge' | 'from'> | null {
  const { scheduledUpdate } = subscription
  const agreed = agreedSubscription(subscription, tx)
  const { nextCharge } = agreed
  if (!nextCharge) return null
  if (!scheduledUpdate) return { subscription: agreed, nextCharge }
  const updated = { ...subscription, ...scheduledTerms(subscription, scheduledUpdate), scheduledUpdate: null }
  return { subscription: agreed, nextCharge, from: { ...agreedSubscription(updated, tx), nextCharge } }
}
