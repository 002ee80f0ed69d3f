import { expect } from 'vitest'
import { balance } from '../../modules/ledger/operations.ts'
import { db } from '../../platform/db/db.ts'
import { reconcile } from '../../workflows/reconciliation/reconcile.ts'
import { isLongForm } from '../amount.ts'
import { send } from '../api.ts'
import { brokenInvariants } from '../invariants.ts'
import type { Shop } from '../shop.ts'
import type { Answer } from './answer.ts'
import { expectSameFigures } from './figures.ts'
import type { Real, Reply } from './real.ts'
import { moneyView, orderView, owedView } from './views.ts'
import { ordersOf, type View, viewOf, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as the interface sent it
type Sent = any

export function expectAnswer({ planIds }: Real, { status, body }: Reply, expected: Answer): void {
  const fields = Object.keys(body?.errors ?? {})
  const story = JSON.stringify({ actual: body, expected }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  expect(status, story).toBe(expected.status)
  if (expected.code) expect(body.code, story).toBe(expected.code)
  if (expected.fields) {
    expect(fields.length).toBeGreaterThan(0)
    for (const field of fields) expect(expected.fields, story).toContain(field)
  }
  if (expected.shows) expect(viewOfReal(planIds, body)).toEqual(expected.shows)
  if (expected.showsRefund) expect({ ...refundShown(body), creditNote: null }).toEqual(expected.showsRefund)
}

export async function expectSame(world: World, real: Real): Promise<void> {
  const { shop, planIds } = real
  const shown = await all(real, 'subscriptions')
  const orders = new Map((await all(real, 'orders')).map((order) => [order.id, order]))
  const owners = await ownersOf(shop)
  const events = await eventsOf(shop)
  const ordersBy = shown.map(({ id }) => owners.filter((each) => each.subscriptionId === id).map(({ id }) => id))
  real.subscriptionIds = shown.map(({ id }) => id)
  real.orderIds = [...new Set(ordersBy.flat())]
  real.lineIds = new Map([...orders].map(([id, { lines }]) => [id, lines.map(({ id }: Sent) => id)]))
  expect({
    subscriptions: shown.map((subscription, number) => ({
      shows: viewOfReal(planIds, subscription),
      owes: owedShown(real, subscription),
      orders: ordersBy[number]?.map((id) => orderShown(orders.get(id))),
      events: events.filter((event) => event.ownerId === subscription.id).map(({ name }) => name),
    })),
    ...(await moneyShown(real, orders, events)),
  }).toEqual({
    subscriptions: world.subscriptions.map((subscription) => ({
      shows: viewOf(subscription),
      owes: owedView(world, subscription),
      orders: subscription.orders.map(orderView),
      events: subscription.events,
    })),
    ...moneyView(world),
  })
  expect(orders.size).toBe(ordersOf(world).length + world.creditNotes.length)
  await expectSameFigures(world, shop)
  // The short form checks the invariants only after the last command.
  if (isLongForm) expect(await brokenInvariants()).toEqual({})
  for (const { unexplained } of await reconcile(shop.scope)) expect(unexplained).toBe('0.00')
}

async function all({ key }: Real, list: string): Promise<Sent[]> {
  const found: Sent[] = []
  for (let path: string | undefined = `/v1/${list}?limit=100`; path; ) {
    const { body }: Reply = await send(`GET ${path}`, { key })
    found.push(...body.data)
    path = body.links.next && new URL(body.links.next.href).pathname + new URL(body.links.next.href).search
  }
  return found.reverse()
}

async function moneyShown(real: Real, orders: ReadonlyMap<string, Sent>, events: readonly EventRow[]) {
  const [refunds, chargebacks] = [await all(real, 'refunds'), await all(real, 'chargebacks')]
  real.refundIds = refunds.map(({ id }) => id)
  real.chargebackIds = chargebacks.map(({ id }) => id)
  const notes = await creditNotesOf(real.shop)
  real.creditNoteIds = notes.map(({ id }) => id)
  const ofReversals = [...refunds, ...chargebacks].map(({ orderId }) => orderId)
  const ofWriteOffs = notes.filter(({ id }) => !ofReversals.includes(id))
  const withNote = ({ originalOrderId, orderId }: Sent) => ({
    of: real.orderIds.indexOf(originalOrderId),
    creditNote: orderId && creditNoteShown(orders.get(orderId)),
  })
  const books = await balance(real.shop.scope)
  return {
    refunds: refunds.map((each) => ({ ...withNote(each), ...refundShown(each) })),
    chargebacks: chargebacks.map((each) => ({ ...withNote(each), ...chargebackShown(each) })),
    writeOffs: ofWriteOffs.map(({ id, orderId }) => ({
      of: real.orderIds.indexOf(orderId),
      creditNote: creditNoteShown(orders.get(id)),
    })),
    refundEvents: events.flatMap(({ name, ownerId }) =>
      real.refundIds.includes(ownerId) ? [`${name} of ${real.refundIds.indexOf(ownerId)}`] : [],
    ),
    books: Object.fromEntries(
      books.filter(({ amount }) => amount !== '0.00').map(({ account, amount }) => [account, amount]),
    ),
  }
}

const taxesShown = (taxes: Sent[]): string[] =>
  taxes
    .filter(({ amount }) => amount.value !== '0.00')
    .map(({ taxRate, amount }) => `${Math.round(taxRate.percentage * 1000)}: ${amount.value}`)
const linesShown = (lines: Sent[]) =>
  lines.map(({ subtotal, taxes }) => ({ subtotal: subtotal.value, taxes: taxesShown(taxes) }))
const sumsShown = ({ subtotal, total, taxSummary }: Sent) => ({
  subtotal: subtotal.value,
  total: total.value,
  taxes: taxesShown(taxSummary),
})

const orderShown = ({ status, reversedSubtotal, refundableSubtotal, lines, ...sums }: Sent) => ({
  status,
  reversedSubtotal: reversedSubtotal.value,
  refundableSubtotal: refundableSubtotal.value,
  ...sumsShown(sums),
  lines: linesShown(lines),
})
const creditNoteShown = (order: Sent) => ({ invoiceNumber: order.invoiceNumber, ...orderShown(order) })
const refundShown = ({ status, lines, ...sums }: Sent) => ({ status, ...sumsShown(sums), lines: linesShown(lines) })
const chargebackShown = ({ status, amount, settlementAmount, ...sums }: Sent) => ({
  status,
  amount: amount.value,
  settlementAmount: settlementAmount.value,
  ...sumsShown(sums),
})

function viewOfReal(planIds: readonly string[], body: Sent): View {
  const terms = ({ subscriptionPlanId, basePrice, quantity, interval, intervalCount }: Sent) => ({
    plan: planIds.indexOf(subscriptionPlanId),
    basePrice: basePrice.value,
    quantity,
    interval,
    intervalCount,
  })
  const { status, metadata, cancellationReason, startedAt, endedAt, canceledAt, renewedAt, renewedUntil } = body
  const { nextRenewalAt, trialUntil, scheduledUpdate } = body
  return {
    ...terms(body),
    status,
    metadata,
    cancellationReason,
    startedAt,
    endedAt,
    canceledAt,
    renewedAt,
    renewedUntil,
    nextRenewalAt,
    trialUntil,
    mandate: body.mandate?.method ?? null,
    country: body.billingAddress.country,
    scheduledUpdate: scheduledUpdate && { ...terms(scheduledUpdate), effectiveAt: scheduledUpdate.effectiveAt },
  }
}

const owedShown = ({ orderIds }: Real, { paidUntil, recovery }: Sent) => ({
  paidUntil,
  recovery: recovery && {
    ...recovery,
    orderId: undefined,
    order: orderIds.indexOf(recovery.orderId),
    amountDue: recovery.amountDue.value,
  },
})

/** The orders with their subscriptions, oldest order first. An order that sold several subscriptions has one row per subscription. */
const ownersOf = ({ storefrontId }: Shop) => db().$queryRaw<{ id: string; subscriptionId: string }[]>`
  SELECT o.id, coalesce(o.subscription_id, s.id) AS "subscriptionId"
  FROM orders o LEFT JOIN checkout_lines l ON l.checkout_id = o.checkout_id LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
  WHERE o.storefront_id = ${storefrontId} AND o.credited_order_id IS NULL ORDER BY o.id`

const creditNotesOf = ({ storefrontId }: Shop) => db().$queryRaw<{ id: string; orderId: string }[]>`
  SELECT id, credited_order_id AS "orderId" FROM orders
  WHERE storefront_id = ${storefrontId} AND credited_order_id IS NOT NULL ORDER BY id`

interface EventRow {
  ownerId: string
  name: string
}

/**
 * The events of subscriptions, of their orders and checkouts, and of refunds. `name` is the event name, followed by the
 * reason if the event has one.
 */
const eventsOf = ({ storefrontId }: Shop) => db().$queryRaw<EventRow[]>`
  SELECT concat_ws(' ', e.name, e.body::json->>'reason') AS name, coalesce(own.id, o.subscription_id, s.id, e.entity_id) AS "ownerId"
  FROM events e LEFT JOIN subscriptions own ON own.id = e.entity_id LEFT JOIN orders o ON o.id = e.entity_id
  LEFT JOIN checkout_lines l ON l.checkout_id = coalesce(o.checkout_id, e.entity_id) LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
  WHERE e.storefront_id = ${storefrontId} AND e.entity_type IN ('subscription', 'order', 'checkout', 'refund') ORDER BY e.id`
