import { toWire } from '../kernel/moment.ts'
import { eventNames } from '../modules/events/event-types.ts'
import { deliveriesOfEvent } from '../modules/webhooks/find-deliveries.ts'
import type { EventPage, EventsPage } from '../modules/webhooks/page.ts'
import { eventBody, pageOfEvents } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import { chipsOf, daysOf, eventFilter } from './list-filter.ts'
import { objectName, objectPath } from './object-path.ts'
import { deliveryRow } from './webhooks.ts'

interface Body {
  readonly eventName: string
  readonly entityId: string
  readonly createdAt: string
}

export async function eventsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<EventsPage | null> {
  const access = await accessTo(place, 'events', cookies)
  if (!access) return null
  const { path, tenant } = access
  const listUrl = `${path}/events`
  const filters = eventFilter(parameters, eventNames)
  const { startingAfter = null, endingBefore = null } = parameters
  const asked = { eventName: filters.event ?? undefined, entityId: filters.object ?? undefined, ...daysOf(filters) }
  const list = await adminList(
    listUrl,
    { startingAfter, endingBefore, ...filters },
    (query, sql) => pageOfEvents(sql, tenant, { ...query, ...asked }),
    ({ id, body }) => {
      const { eventName, entityId, createdAt } = JSON.parse(body) as Body
      const objectUrl = objectPath(path, entityId, body)
      return { id, eventName, entityId, createdAt, objectUrl, objectName: objectName(body) }
    },
  )
  const chips = chipsOf(listUrl, filters, ['event', 'object', 'from', 'to'])
  return { ...list, filters, chips, listUrl, eventNames }
}

export async function eventPage(place: StorefrontPath, id: string, cookies: string | null): Promise<EventPage | null> {
  const access = await accessTo(place, 'events/[id]', cookies)
  const body = access && (await eventBody(db(), access.tenant, id))
  if (!access || body === null) return null
  const { eventName, entityId, createdAt } = JSON.parse(body) as Body
  return {
    id,
    eventName,
    entityId,
    createdAt: toWire(new Date(createdAt)),
    objectUrl: objectPath(access.path, entityId, body),
    objectName: objectName(body),
    body: JSON.stringify(JSON.parse(body), null, 2),
    deliveries: (await deliveriesOfEvent(db(), access.tenant, id)).map(deliveryRow),
  }
}
