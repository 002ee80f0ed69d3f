import type { Locale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { storefrontInEmail } from '../../modules/brand/brand-view.ts'
import { findCustomer, findCustomers } from '../../modules/customers/store.ts'
import type { EmailContent, EmailSubscription } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { sellerInEmail } from '../../modules/orders/seller-view.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { directDebitOf } from '../../modules/subscriptions/direct-debit.ts'
import { intervalPrice, nextCharge } from '../../modules/subscriptions/next-charge.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'

/** To whom an email goes, in which language, and what each email says of seller and customer. */
export interface Recipient {
  readonly to: string
  readonly locale: Locale
  readonly common: Pick<EmailContent, 'storefrontName' | 'brand' | 'seller' | 'customerName' | 'timeZone'> & {
    readonly portalUrl: string
  }
  readonly termsUrl: string | null
}

/**
 * The buyers of orders of one storefront, in few statements. A purchase is confirmed to the address that was typed for
 * it, which may differ from the customer's; all else goes to the customer's. The language is the one that the customer
 * chose, else that of the order.
 */
export async function recipientsOf(
  { sql, ...tenant }: Transaction,
  orders: readonly Order[],
): Promise<(order: Order) => Recipient> {
  const [customers, { storefrontName, brand, termsUrl }] = await Promise.all([
    findCustomers(sql, tenant, [...new Set(orders.flatMap(({ customerId }) => customerId ?? []))]),
    storefrontInEmail(sql, tenant.storefrontId),
  ])
  const portalUrl = pageUrl(portalSignInPath(tenant))
  return ({ id, customerId, checkoutId, customerDetails, locale, seller }) => {
    const customer = customers.get(customerId ?? '')
    if (!customer) throw new Error(`the paid order ${id} has no customer`)
    return {
      to: (checkoutId === null ? null : customerDetails.email) ?? customer.email,
      locale: customer.locale ?? locale,
      common: {
        storefrontName,
        brand,
        seller: sellerInEmail(seller),
        customerName: customerDetails.fullName,
        timeZone: customer.timeZone,
        portalUrl,
      },
      termsUrl,
    }
  }
}

/** The customer of a subscription. */
export async function recipientOf(
  { sql, ...tenant }: Transaction,
  { id, customerId, billingAddress, locale }: Subscription,
): Promise<Recipient> {
  const customer = await findCustomer(sql, tenant, customerId)
  if (!customer) throw new Error(`subscription ${id} has no customer`)
  const { storefrontName, brand, termsUrl } = await storefrontInEmail(sql, tenant.storefrontId)
  return {
    to: customer.email,
    locale: customer.locale ?? locale,
    common: {
      storefrontName,
      brand,
      seller: sellerInEmail(config().seller),
      customerName: billingAddress.fullName,
      timeZone: customer.timeZone,
      portalUrl: pageUrl(portalSignInPath(tenant)),
    },
    termsUrl,
  }
}

/** The terms of a subscription, as of a moment. */
export function agreedSubscription(
  subscription: Subscription,
  { now, testmode }: Pick<Transaction, 'now' | 'testmode'>,
): EmailSubscription {
  const { name, quantity, cycle, price, trialUntil, mandate, endedAt } = subscription
  const { total, subtotal } = intervalPrice(subscription, now)
  const next = nextCharge(subscription, now)
  return {
    name,
    quantity,
    every: { interval: cycle.interval, intervalCount: cycle.intervalCount },
    price: amount(total, price.currency),
    withTax: total > subtotal,
    trialUntil: trialUntil && toWire(trialUntil),
    directDebit: directDebitOf(mandate, testmode),
    nextCharge: next && next.total > 0n ? { total: amount(next.total, next.currency), at: toWire(next.at) } : null,
    ...(endedAt && { hasEnded: true }),
  }
}
