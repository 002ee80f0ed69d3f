import { toWire } from '../kernel/moment.ts'
import { eventNames } from '../modules/events/event-types.ts'
import { type ListedDelivery, newestDeliveries, pageOfDeliveries } from '../modules/webhooks/find-deliveries.ts'
import { findDelivery } from '../modules/webhooks/lists.ts'
import { type DeliveriesPage, type DeliveryPage, type DeliveryRow, deliveryStatuses } from '../modules/webhooks/page.ts'
import { resendDelivery } from '../modules/webhooks/resend.ts'
import { failureKind } from '../modules/webhooks/rules/failure.ts'
import { mostEndpoints } from '../modules/webhooks/rules/limits.ts'
import { wants } from '../modules/webhooks/rules/wants.ts'
import { findEndpoint, pageOfEndpoints } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once } from './act.ts'
import { exportOf } from './export.ts'
import { formState } from './form-state.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { chipsOf, daysOf, eventFilter, urlWith } from './list-filter.ts'
import { objectName, objectPath } from './object-path.ts'
import { resendForm, resentIn } from './resend-matching.ts'

export const deliveryRow = ({
  id,
  eventId,
  eventName,
  entityId,
  status,
  attempts,
  createdAt,
  nextAttemptAt,
  endpoint,
}: ListedDelivery): DeliveryRow => ({
  id,
  eventId,
  eventName,
  entityId,
  status,
  attempts,
  createdAt: toWire(createdAt),
  endpointUrl: endpoint.url,
  nextAttemptAt: status === 'pending' && nextAttemptAt ? toWire(nextAttemptAt) : null,
})

/** The deliveries of a storefront and mode, newest first. If `confirm` is set, the page asks whether to re-send the matching failed deliveries. */
export async function deliveriesPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<DeliveriesPage | null> {
  const access = await accessTo(place, 'deliveries', cookies)
  if (!access) return null
  const { tenant, path } = access
  const filter = chosen(deliveryStatuses, parameters.status)
  const asked = parameters.endpoint || null
  const endpoint = asked === null ? null : await findEndpoint(db(), tenant, asked)
  if (asked !== null && endpoint === null) return null
  const listUrl = `${path}/deliveries`
  const filters = {
    status: filter.status,
    endpoint: endpoint?.id ?? null,
    ...eventFilter(parameters, eventNames),
  }
  const { startingAfter = null, endingBefore = null, done = null, failed = null, form = null } = parameters
  const list = await adminList(
    listUrl,
    { startingAfter, endingBefore, done, failed, form, ...filters },
    (query, sql) =>
      pageOfDeliveries(
        sql,
        tenant,
        { ...query, ...daysOf(filters) },
        {
          status: filter.status ?? undefined,
          endpointId: endpoint?.id,
          eventName: filters.event ?? undefined,
          entityId: filters.object ?? undefined,
        },
      ),
    deliveryRow,
  )
  const { rows: endpoints } = await pageOfEndpoints(db(), tenant, { limit: mostEndpoints })
  const mayResend = access.mayDo('delivery.resend_matching') && (filter.status ?? 'failed') === 'failed'
  const isAsked = mayResend && parameters.confirm === 'resend'
  return {
    ...list,
    filter,
    ...exportOf(access, 'deliveries', filters),
    filters,
    chips: chipsOf(listUrl, filters, ['endpoint', 'event', 'object', 'from', 'to'], {
      ...(endpoint && { endpoint: endpoint.url }),
    }),
    listUrl,
    unfilteredByStatusUrl: urlWith(listUrl, { ...filters, status: null }),
    eventNames,
    endpoints: endpoints.map(({ id, url }) => ({ id, url })),
    resendUrl: mayResend && !isAsked ? `${urlWith(listUrl, { ...filters, confirm: 'resend' })}#resend` : null,
    resend: isAsked ? await resendForm(access, filters) : null,
    resent: resentIn(formState(access, form, cookies)),
  }
}

const mostAbout = 20

/** At most 20 deliveries of events about the given objects, newest first. Empty if the reader's role may not see deliveries. */
export const deliveriesAbout = async (access: Access, entityIds: readonly string[]): Promise<DeliveryRow[]> =>
  access.mayOpen('deliveries')
    ? (await newestDeliveries(db(), access.tenant, entityIds.slice(0, mostAbout), mostAbout)).map(deliveryRow)
    : []

export async function deliveryPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<DeliveryPage | null> {
  const access = await accessTo(place, 'deliveries/[id]', cookies)
  const delivery = access && (await findDelivery(db(), access.tenant, id))
  if (!access || !delivery) return null
  const { entityId, body, log, endpoint, eventName, eventId } = delivery
  const last = log.at(-1)
  return {
    ...deliveryRow(delivery),
    testmode: access.tenant.testmode,
    eventUrl: `${access.path}/events/${eventId}`,
    objectUrl: objectPath(access.path, entityId, body),
    objectName: objectName(body),
    endpointPath: endpoint.deleted ? null : `${access.path}/endpoints/${endpoint.id}`,
    failure: delivery.status !== 'delivered' && last ? failureKind(last) : null,
    body: JSON.stringify(JSON.parse(body), null, 2),
    log: log.map(({ startedAt, ...attempt }) => ({ ...attempt, startedAt: startedAt.toISOString() })),
    canResend: wants(endpoint, eventName),
    mayResend: access.mayDo('delivery.resend'),
    formKey: newFormKey(),
  }
}

/** Sends an event to its endpoint again, at most once for each form key. */
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
