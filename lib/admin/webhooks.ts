import { lookUp } from '../kernel/look-up.ts'
import { toWire } from '../kernel/moment.ts'
import { findDelivery, type ListedDelivery, newestDeliveries, pageOfDeliveries } from '../modules/webhooks/lists.ts'
import { type DeliveriesPage, type DeliveryPage, type DeliveryRow, deliveryStatuses } from '../modules/webhooks/page.ts'
import { resendDelivery } from '../modules/webhooks/resend.ts'
import { wants } from '../modules/webhooks/rules/wants.ts'
import { findEndpoint } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once } from './act.ts'
import { exportOf } from './export.ts'
import { actionOf, adminList, chosen, type ListParameters } from './list.ts'

export const deliveryRow = ({
  id,
  eventId,
  eventName,
  status,
  attempts,
  createdAt,
  nextAttemptAt,
  endpoint,
}: ListedDelivery): DeliveryRow => ({
  id,
  eventId,
  eventName,
  status,
  attempts,
  createdAt: toWire(createdAt),
  endpointUrl: endpoint.url,
  nextAttemptAt: status === 'pending' && nextAttemptAt ? toWire(nextAttemptAt) : null,
})

/**
 * The deliveries of a storefront and mode, newest first; with `status`, those in that state, with `endpoint`, those to that
 * endpoint.
 */
export async function deliveriesPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<DeliveriesPage | null> {
  const access = await accessTo(place, 'deliveries', cookies)
  if (!access) return null
  const filter = chosen(deliveryStatuses, parameters.status)
  const asked = parameters.endpoint ?? null
  const endpoint = asked === null ? null : await findEndpoint(db(), access.tenant, asked)
  if (asked !== null && endpoint === null) return null
  const list = await adminList(
    `${access.path}/deliveries`,
    { ...parameters, status: filter.status },
    (query, sql) =>
      pageOfDeliveries(sql, access.tenant, query, { status: filter.status ?? undefined, endpointId: endpoint?.id }),
    deliveryRow,
  )
  const filters = { status: filter.status, endpoint: endpoint?.id ?? null, ...list.dates }
  return {
    ...list,
    filter,
    ...exportOf(access, 'deliveries', filters),
    ...actionOf(access, 'endpoints'),
    endpoint: endpoint && { id: endpoint.id, url: endpoint.url },
  }
}

const mostAbout = 20

/** The newest deliveries of the events of some entities. Empty for readers who may not see deliveries. */
export const deliveriesAbout = async (access: Access, entityIds: readonly string[]): Promise<DeliveryRow[]> =>
  access.mayOpen('deliveries')
    ? (await newestDeliveries(db(), access.tenant, entityIds.slice(0, mostAbout), mostAbout)).map(deliveryRow)
    : []

/** One delivery: the request, and the response to each attempt. */
export async function deliveryPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<DeliveryPage | null> {
  const access = await accessTo(place, 'deliveries/[id]', cookies)
  const delivery = access && (await findDelivery(db(), access.tenant, id))
  if (!access || !delivery) return null
  const { entityId, body, log, endpoint, eventName } = delivery
  return {
    ...deliveryRow(delivery),
    testmode: access.tenant.testmode,
    entityId,
    entityPath: pathOfEntity(access, entityId, body),
    body: JSON.stringify(JSON.parse(body), null, 2),
    log: log.map(({ startedAt, ...attempt }) => ({ ...attempt, startedAt: startedAt.toISOString() })),
    canResend: wants(endpoint, eventName),
    mayResend: access.mayDo('delivery.resend'),
    formKey: newFormKey(),
  }
}

/** The sections of the objects of events, by the prefix of the id. */
const sectionOf = {
  order: 'orders',
  subscription: 'subscriptions',
  customer: 'customers',
  chargeback: 'chargebacks',
  subscription_plan: 'catalog',
  one_off_product: 'catalog',
} as const

/** The page of an object of an event; for a refund, that of its order. Null for an object without a page. */
function pathOfEntity({ path }: Access, entityId: string, body: string): string | null {
  const prefix = entityId.slice(0, entityId.lastIndexOf('_'))
  if (prefix === 'refund') {
    const { object } = JSON.parse(body) as { object?: { originalOrderId?: string } }
    return object?.originalOrderId ? `${path}/orders/${object.originalOrderId}` : null
  }
  const section = lookUp(sectionOf, prefix)
  return section ? `${path}/${section}/${entityId}` : null
}

/** Sends an event again to its endpoint, once per rendering of its page. */
export async function submitDelivery(
  place: StorefrontPath,
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const access = await accessToForm(place, 'deliveries/[id]', form.get('intent'), cookies)
  if (!access || !(await findDelivery(db(), access.tenant, id))) return null
  const page = `${access.path}/deliveries/${id}`
  if (form.get('intent') !== 'resend') return { redirectTo: page }
  const asked = { path: '/admin/deliveries/resend', content: id, action: 'delivery.resend' as const, subject: id }
  const refusal = await once(access, form, asked, (call) => resendDelivery(id, call))
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : 'done=resent'}` }
}
