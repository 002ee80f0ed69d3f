import { Refusal } from '../kernel/refusal.ts'
import { eventNames } from '../modules/events/event-types.ts'
import type { ResendForm } from '../modules/webhooks/page.ts'
import { countMatching, type MatchingFailed, resendMatching } from '../modules/webhooks/resend.ts'
import { mostMatchingSentAgain, sentAgainDays } from '../modules/webhooks/rules/limits.ts'
import { findEndpoint } from '../modules/webhooks/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, onceSaying, refused } from './act.ts'
import { type FormState, leave, type Next } from './form-state.ts'
import type { ListParameters } from './list.ts'
import { daysOf, eventFilter, type Filters, urlWith } from './list-filter.ts'

/** Only failed deliveries are re-sent, so the status filter is left out. */
function matchingOf({ event, object, endpoint, from, to }: Filters): MatchingFailed {
  return {
    eventName: event ?? undefined,
    entityId: object ?? undefined,
    endpointId: endpoint ?? undefined,
    ...daysOf({ from: from ?? null, to: to ?? null }),
  }
}

export const resendForm = async ({ tenant }: Access, filters: Filters): Promise<ResendForm> => ({
  count: await countMatching(tenant, matchingOf(filters)),
  most: mostMatchingSentAgain,
  days: sentAgainDays,
  fields: Object.entries({ ...filters, status: null }).flatMap(([name, value]) => (value ? [{ name, value }] : [])),
  formKey: newFormKey(),
})

/** Re-sends the failed deliveries that match the filters of the form. The next page shows the number of re-sent deliveries. */
export async function submitDeliveries(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'deliveries', null, cookies)
  if (!access) return null
  const parameters: ListParameters = Object.fromEntries(values)
  const endpoint = parameters.endpoint ? await findEndpoint(db(), access.tenant, parameters.endpoint) : null
  // An unknown endpoint must not turn into a filter that matches all endpoints.
  if (parameters.endpoint && !endpoint) return null
  const filters = { ...eventFilter(parameters, eventNames), endpoint: endpoint?.id ?? null }
  const page = urlWith(`${access.path}/deliveries`, { ...filters, status: 'failed' })
  const said = await onceSaying(
    access,
    values,
    {
      path: '/admin/deliveries/resend-matching',
      content: filters,
      action: 'delivery.resend_matching',
      subject: access.storefront.id,
      after: ({ count }: { count: number }) => ({ count, ...filtersSaid(filters) }),
      word: ({ count }: { count: number }) => String(count),
    },
    (context) => resendMatching(context, matchingOf(filters)),
  )
  if (said instanceof Refusal) return refused(access, { page, values: new URLSearchParams() }, said)
  return leave(access, page, { typed: { resent: said.word }, problems: {} })
}

/** The audit log is never deleted, so it stores only filter values that cannot be personal data. */
const filtersSaid = ({ object, ...known }: Filters) =>
  Object.fromEntries(
    Object.entries({ ...known, object: object && /^[a-z_]+_[0-9A-Za-z]{22}$/.test(object) ? object : null }).filter(
      ([, value]) => value,
    ),
  )

export const resentIn = ({ typed }: FormState): number | null =>
  typed.resent === undefined ? null : Number(typed.resent)
