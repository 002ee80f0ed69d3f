import type { Amount } from '../kernel/money.ts'
import { type Activity, type ActivityEvent, activityEvents } from '../modules/accounts/page.ts'
import { findShownOrders } from '../modules/orders/store.ts'
import { pageOfEvents } from '../modules/webhooks/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'
import { objectPath } from './object-path.ts'
import { nameOf } from './rows.ts'
import { timelineEventOf } from './timeline.ts'

const mostActivity = 10

/** More events are read than shown, because the list skips some events, such as the event of a paid checkout. */
const mostRead = 40

interface Body {
  readonly eventName: string
  readonly reason: string | null
  readonly entityId: string
  readonly createdAt: string
  /** The API resource at the time of the event. After an erasure, the resource contains no personal data. */
  readonly object: {
    readonly status?: string
    readonly name?: string
    readonly total?: Amount
    readonly amount?: Amount
    readonly customerDetails?: Parameters<typeof nameOf>[0]
    readonly billingAddress?: Parameters<typeof nameOf>[0]
    readonly originalOrderId?: string
  }
}

interface Read {
  readonly id: string
  readonly body: string
  readonly content: Body
  readonly event: ActivityEvent
}

export async function activityOf({ tenant, path }: Pick<Access, 'tenant' | 'path'>): Promise<Activity[]> {
  const { rows } = await pageOfEvents(db(), tenant, { limit: mostRead })
  const shown = rows.flatMap(readEvent).slice(0, mostActivity)
  const buyers = await buyersOf(tenant, shown)
  return shown.map(({ id, body, content, event }) => {
    const { object, entityId, createdAt } = content
    const details = object.customerDetails ?? object.billingAddress
    return {
      id,
      at: createdAt,
      event,
      amount: object.amount ?? object.total ?? null,
      title: object.name ?? null,
      customer: (details ? nameOf(details) : buyers.get(object.originalOrderId ?? '')) ?? null,
      url: objectPath(path, entityId, body),
    }
  })
}

function readEvent({ id, body }: { id: string; body: string }): Read[] {
  const content = JSON.parse(body) as Body
  const { eventName, reason, object } = content
  const event = eventName.startsWith('subscription.')
    ? timelineEventOf(eventName, reason, object)
    : activityEvents.find((each) => each === eventName)
  return event ? [{ id, body, content, event }] : []
}

/** Reads the buyers of refunded and disputed orders, because the events contain only the id of the order. */
async function buyersOf(tenant: Tenant, events: readonly Read[]): Promise<ReadonlyMap<string, string | null>> {
  const ids = events.flatMap(({ content: { object } }) => object.originalOrderId ?? [])
  if (ids.length === 0) return new Map()
  const orders = await findShownOrders(db(), tenant, ids)
  return new Map(orders.map(({ id, customerDetails }) => [id, nameOf(customerDetails)]))
}
