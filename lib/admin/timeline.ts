import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { emailsAbout } from '../modules/emails/store.ts'
import type { PaymentAttempt } from '../modules/orders/page.ts'
import { orderResource } from '../modules/orders/resource.ts'
import { findShownOrder, orderOfCheckoutLine, pageOfOrders } from '../modules/orders/store.ts'
import { type Payment, paymentsOfOrders } from '../modules/payments/store.ts'
import {
  type AdminSubscription,
  type TimelineEntry,
  type TimelineEvent,
  timelineEvents,
} from '../modules/subscriptions/page.ts'
import type { Subscription } from '../modules/subscriptions/rules/index.ts'
import { eventsOf } from '../modules/webhooks/lists.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'
import { causesOf } from './causes.ts'
import { emailRow } from './emails.ts'
import { termsChanges } from './terms-changes.ts'

const mostOfTimeline = 100

/** Each query reads one entry more than the page shows, so that the page knows whether older entries exist. */
const mostRead = mostOfTimeline + 1

/**
 * The timeline of a subscription, newest first: its events, orders, payment attempts, and emails. If `isCut` is true,
 * older entries are left out.
 */
export async function timelineOf(
  { tenant, storefront }: Pick<Access, 'tenant' | 'storefront'>,
  { id, checkoutLineId }: Subscription,
): Promise<{ entries: TimelineEntry[]; isCut: boolean }> {
  const events = await eventsOf(db(), tenant, id, mostRead)
  const by = await causesOf(storefront, id, events)
  const sale = await orderOfCheckoutLine(db(), tenant, checkoutLineId)
  const first = sale && (await findShownOrder(db(), tenant, sale.id))
  const later = (await pageOfOrders(db(), tenant, { limit: mostRead }, { subscriptionId: id })).rows
  const orders = first ? [...later, first] : later
  const orderIds = orders.map((order) => order.id)
  const payments = await paymentsOfOrders(db(), orderIds, mostRead)
  const emails = await emailsAbout(db(), tenant, { subscriptionId: id, orderIds }, mostRead)
  const entries: TimelineEntry[] = [
    ...events.flatMap((event, index) => eventEntry(event, events[index + 1], by)),
    ...orders.map((order) => ({
      kind: 'order' as const,
      id: order.id,
      at: toWire(order.createdAt),
      order: orderResource(order),
    })),
    ...payments.map((payment) => ({
      kind: 'payment' as const,
      id: payment.id,
      orderId: payment.orderId,
      at: toWire(payment.finishedAt ?? payment.createdAt),
      attempt: paymentAttempt(payment),
    })),
    ...emails.map((email) => ({
      kind: 'email' as const,
      id: email.id,
      at: toWire(email.createdAt),
      email: emailRow(email),
    })),
  ]
  const isCut = [entries, events, later, payments, emails].some((each) => each.length > mostOfTimeline)
  return { entries: entries.sort(newestFirst).slice(0, mostOfTimeline), isCut }
}

/** The sort key: the time, then the part of the id after its prefix, which sorts by creation. */
const placeOf = ({ at, id }: TimelineEntry) => `${at} ${id.slice(id.lastIndexOf('_'))}`

const newestFirst = (a: TimelineEntry, b: TimelineEntry): number => (placeOf(a) < placeOf(b) ? 1 : -1)

type StoredEvent = Awaited<ReturnType<typeof eventsOf>>[number]

/** The sentence for an event of a subscription. Undefined for an event without a sentence, such as a change of metadata. */
export function timelineEventOf(
  name: string,
  reason: string | null,
  { status }: { readonly status?: string },
): TimelineEvent | undefined {
  const said = reason ?? name.replace(/^subscription\./, '')
  const isPause = said === 'updated_immediately' && status === 'paused'
  return timelineEvents.find((each) => each === (isPause ? 'paused' : said))
}

/** `before` is the preceding event, whose body has the terms before the change. */
function eventEntry(
  { id, name, body, causedBy, createdAt }: StoredEvent,
  before: StoredEvent | undefined,
  causeOf: Awaited<ReturnType<typeof causesOf>>,
): TimelineEntry[] {
  const { reason, object } = bodyOf(body)
  const event = timelineEventOf(name, reason, object)
  if (!event) return []
  const isScheduled = event === 'update_scheduled' && object.scheduledUpdate !== null
  const changes = isScheduled
    ? termsChanges(object, object.scheduledUpdate ?? object)
    : termsChanges(before ? bodyOf(before.body).object : null, object)
  const until = event === 'renewed' || event === 'updated_on_renewal' ? object.renewedUntil : null
  const by = causeOf({ id, event, causedBy, cancellationReason: object.cancellationReason })
  return [{ kind: 'event', id, at: toWire(createdAt), event, changes, until, by }]
}

const bodyOf = (body: string) => JSON.parse(body) as { reason: string | null; object: AdminSubscription }

export const paymentAttempt = (payment: Payment): PaymentAttempt => ({
  id: payment.id,
  method: payment.method,
  status: payment.status,
  failureReason: payment.failureReason,
  amount: amount(payment.amount.minor, payment.amount.currency),
  createdAt: toWire(payment.createdAt),
  finishedAt: payment.finishedAt && toWire(payment.finishedAt),
})
