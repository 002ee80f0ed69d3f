import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { hasEInvoice } from '../../modules/invoices/rules/e-invoice.ts'
import { invoicePath, ublPath } from '../../modules/orders/resource.ts'
import { documentNumber, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { comingCharges } from '../../modules/outstanding/coming-charges.ts'
import { unpaidOf } from '../../modules/outstanding/unpaid.ts'
import type { PortalDocument, PortalSubscription } from '../../modules/portal/page.ts'
import { intervalPrice } from '../../modules/subscriptions/next-charge.ts'
import { nextRenewalAt, type Subscription, scheduledTerms } from '../../modules/subscriptions/rules/index.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { outstandingOrders } from '../billing-update/outstanding.ts'

export async function subscriptionView(
  tenant: Tenant,
  subscription: Subscription,
  now: Date,
): Promise<PortalSubscription> {
  const { id, name, quantity, status, billingInterval, mandate, trialUntil, endedAt, renewedUntil, startedAt } =
    subscription
  const due = status === 'canceled' ? null : await outstandingOrders(subscription)
  const coming = await comingCharges(db(), tenant, subscription, { due, now })
  const runsUntil = status === 'on_grace_period' ? renewedUntil : null
  const endsAt = runsUntil ?? endedAt
  return {
    id,
    url: `/portal/subscriptions/${id}`,
    name,
    quantity,
    status,
    every: { interval: billingInterval.interval, intervalCount: billingInterval.intervalCount },
    price: priceView(subscription, now),
    startedAt: startedAt && toWire(startedAt),
    ...coming,
    renewalsWait: coming.nextCharge === null && nextRenewalAt(subscription) !== null,
    scheduled: scheduledView(subscription),
    trialUntil: trialUntil && toWire(trialUntil),
    endsAt: endsAt && toWire(endsAt),
    mandate: mandate && { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier },
    due,
    unpaid: status === 'canceled' ? null : await unpaidOf(db(), { id, runsUntil }),
  }
}

function priceView(subscription: Subscription, now: Date): PortalSubscription['price'] {
  const { price, taxBehavior } = subscription
  const { total, subtotal } = intervalPrice(subscription, now)
  return {
    unit: amount(price.minor, price.currency),
    unitHasTax: taxBehavior === 'inclusive',
    total: amount(total, price.currency),
    hasTax: total > subtotal,
  }
}

function scheduledView(subscription: Subscription): PortalSubscription['scheduled'] {
  const { scheduledUpdate, name, quantity } = subscription
  const at = nextRenewalAt(subscription)
  if (!scheduledUpdate || !at) return null
  const next = scheduledTerms(subscription, scheduledUpdate)
  const isSame = next.name === name && next.quantity === quantity
  return isSame ? null : { name: next.name, quantity: next.quantity, at: toWire(at) }
}

export function documentView(order: Order): PortalDocument {
  const url = invoicePath(order.id)
  const [first, ...more] = order.lines
  const description = first?.onInvoice?.description ?? first?.description ?? ''
  return {
    id: order.id,
    kind: order.creditedOrderId === null ? 'invoice' : 'creditNote',
    number: documentNumber(order),
    issuedAt: toWire(paidAtOf(order)),
    description: more.length > 0 ? `${description} …` : description,
    total: amount(order.total, order.currency),
    url,
    pdfUrl: `${url}/pdf`,
    xmlUrl: hasEInvoice(order) ? ublPath(order.id) : null,
    isCorrectable: order.replacedById === null,
  }
}
