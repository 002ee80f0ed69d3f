import { toWire } from '../kernel/moment.ts'
import { eventNames } from '../modules/events/event-types.ts'
import * as contract from '../modules/webhooks/contract.ts'
import { endPreviousSecret } from '../modules/webhooks/end-previous-secret.ts'
import { pageOfDeliveries } from '../modules/webhooks/find-deliveries.ts'
import * as webhooks from '../modules/webhooks/operations.ts'
import type { EndpointPage, EndpointsPage, NewEndpointForm } from '../modules/webhooks/page.ts'
import { countFailed, resendFailed } from '../modules/webhooks/resend.ts'
import { endpointResource } from '../modules/webhooks/resource.ts'
import { mostEndpoints, mostSentAgain, sentAgainDays } from '../modules/webhooks/rules/limits.ts'
import { isSigning } from '../modules/webhooks/rules/previous-secret.ts'
import { usualSince } from '../modules/webhooks/rules/since.ts'
import { shownSecrets } from '../modules/webhooks/secrets.ts'
import { findEndpoint, type WebhookEndpoint } from '../modules/webhooks/store.ts'
import { now as clockNow, realNow } from '../platform/clock/clock.ts'
import { randomBase62 } from '../platform/crypto/identity.ts'
import { seal, unseal } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { actByForm, newFormKey, once, refused } from './act.ts'
import { endpointsWithHealth, healthOfOne } from './endpoint-health.ts'
import { exportOf } from './export.ts'
import { emptyState, type FormState, formState, type Next } from './form-state.ts'
import { pingResultIn, sendTestEvent } from './test-event.ts'
import { deliveryRow } from './webhooks.ts'

export async function endpointsPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<EndpointsPage | null> {
  const access = await accessTo(place, 'endpoints', cookies)
  if (!access) return null
  const rows = await endpointsWithHealth(access.tenant)
  const isFree = rows.length < mostEndpoints && access.mayDo('endpoint.create')
  return {
    endpoints: rows.map(({ endpoint, health }) => ({ ...endpointResource(endpoint), health })),
    most: mostEndpoints,
    ...exportOf(access, 'endpoints'),
    form: isFree ? newForm(access, formState(access, form, cookies)) : null,
  }
}

const deliveriesShown = 10

export async function endpointPage(
  place: StorefrontPath,
  id: string,
  form: string | null,
  cookies: string | null,
): Promise<EndpointPage | null> {
  const access = await accessTo(place, 'endpoints/[id]', cookies)
  const endpoint = access && (await findEndpoint(db(), access.tenant, id))
  if (!access || !endpoint) return null
  const newest = await pageOfDeliveries(db(), access.tenant, { limit: deliveriesShown }, { endpointId: id })
  const state = formState(access, form, cookies)
  // The stored result can belong to any form of the page. Only the form that changes the endpoint has the field `url`.
  const isOfChange = 'url' in state.typed
  const mayChange = access.mayDo('endpoint.update')
  return {
    endpoint: endpointResource(endpoint),
    health: await healthOfOne(endpoint),
    ping: access.mayDo('endpoint.ping') ? { formKey: newFormKey(), result: pingResultIn(state) } : null,
    secret: mayChange ? shownSecrets(endpoint).current : null,
    deliveries: newest.rows.map(deliveryRow),
    form: mayChange ? formOf(endpoint, isOfChange ? state : emptyState) : null,
    previousSecret: previousSecretOf(access, endpoint),
    failed: access.mayDo('endpoint.resend_failed') ? await failedForm(access, endpoint, state) : null,
  }
}

function previousSecretOf(access: Access, endpoint: WebhookEndpoint) {
  const { previousSecret } = endpoint
  const { previous } = shownSecrets(endpoint)
  if (!access.mayDo('endpoint.end_previous_secret') || !isSigning(previousSecret, realNow()) || !previous) return null
  return { ...previous, until: toWire(previousSecret.until), formKey: newFormKey() }
}

async function failedForm({ tenant }: Access, endpoint: WebhookEndpoint, { typed, problems }: FormState) {
  return {
    count: await countFailed(tenant, endpoint),
    most: mostSentAgain,
    days: sentAgainDays,
    since: typed.since ?? usualSince(await clockNow(db(), tenant)),
    problem: problems.since ?? null,
    formKey: newFormKey(),
  }
}

/** A refused form shows the entered URL and events again. It omits an entered secret, because `refused` does not store the field `secret`. */
const formOf = (
  { url, enabledEvents }: { url: string; enabledEvents: readonly string[] },
  { typed, problems }: FormState,
) => ({
  url: typed.url ?? url,
  enabledEvents: Object.keys(typed).length === 0 ? enabledEvents : eventNames.filter((name) => typed[`event.${name}`]),
  eventNames,
  problems,
  formKey: newFormKey(),
})

/**
 * The form proposes a generated secret, which the person copies. A refused form must return with the same secret, so
 * the form carries the secret encrypted for this person and storefront.
 */
function newForm(access: Access, state: FormState): NewEndpointForm {
  const place = `endpoint_secret|${access.actor.id}|${access.storefront.id}`
  const suggestedSecret = secretIn(state.typed.sealedSecret, place) ?? `whsec_${randomBase62(32)}`
  const sealedSecret = Buffer.from(seal(suggestedSecret, place)).toString('base64url')
  return { ...formOf({ url: '', enabledEvents: eventNames }, state), suggestedSecret, sealedSecret }
}

/** Decrypts the secret of a form. Null if it is missing, altered, or from the form of another person or storefront. */
function secretIn(sealed: string | undefined, place: string): string | null {
  try {
    return sealed ? unseal(Buffer.from(sealed, 'base64url'), place) : null
  } catch {
    return null
  }
}

function bodyOf(values: URLSearchParams) {
  const secret = (values.get('secret') ?? '').trim()
  return {
    url: (values.get('url') ?? '').trim(),
    ...(secret !== '' && { secret }),
    enabledEvents: eventNames.filter((name) => values.has(`event.${name}`)),
  }
}

/** Omits the path of the URL, because the audit log is never deleted and the path may contain a secret of the receiver. */
const said = ({ id, url, enabledEvents }: ReturnType<typeof endpointResource>) => ({
  id,
  origin: new URL(url).origin,
  enabledEvents,
})

export async function submitNewEndpoint(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'endpoints', null, cookies)
  if (!access) return null
  const page = `${access.path}/endpoints`
  return actByForm(
    access,
    { page, values },
    {
      endpoint: contract.createWebhookEndpoint,
      params: {},
      body: bodyOf(values),
      action: 'endpoint.create',
      subject: access.storefront.id,
      after: said,
    },
    ({ context, body }) => webhooks.register(context, body),
    () => `${page}?done=created`,
  )
}

export async function submitEndpoint(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'endpoints/[id]', values.get('intent'), cookies)
  if (!access || !(await findEndpoint(db(), access.tenant, id))) return null
  const page = `${access.path}/endpoints/${id}`
  const of = { params: { id }, subject: id }
  switch (values.get('intent')) {
    case 'update':
      return actByForm(
        access,
        { page, values },
        {
          ...of,
          endpoint: contract.updateWebhookEndpoint,
          body: bodyOf(values),
          action: 'endpoint.update',
          after: said,
        },
        ({ context, body }) => webhooks.update(context, id, body),
        () => `${page}?done=updated`,
      )
    case 'ping':
      return sendTestEvent(access, page, id, values)
    case 'endSecret':
      return endSecret(access, page, id, values)
    case 'delete':
      return remove(access, page, of, values)
    case 'resend':
      return resendAll(access, page, id, values)
    default:
      return { redirectTo: page }
  }
}

async function endSecret(access: Access, page: string, id: string, values: URLSearchParams): Promise<Next> {
  const refusal = await once(
    access,
    values,
    {
      path: '/admin/endpoints/end-previous-secret',
      content: [id],
      action: 'endpoint.end_previous_secret',
      subject: id,
    },
    (context) => endPreviousSecret(id, context),
  )
  return refusal
    ? refused(access, { page, values: new URLSearchParams() }, refusal)
    : { redirectTo: `${page}?done=secretEnded` }
}

async function resendAll(access: Access, page: string, id: string, values: URLSearchParams): Promise<Next> {
  const since = (values.get('since') ?? '').trim().slice(0, 30)
  let isNone = false
  const refusal = await once(
    access,
    values,
    {
      path: '/admin/endpoints/resend',
      content: [id, since],
      action: 'endpoint.resend_failed',
      subject: id,
      after: ({ count }: { count: number }) => ({ count, since }),
    },
    async (context) => {
      const result = await resendFailed(context, id, since)
      isNone = result.count === 0
      return result
    },
  )
  if (refusal) return refused(access, { page, values: new URLSearchParams({ since }) }, refusal)
  return { redirectTo: `${page}?done=${isNone ? 'noneFailed' : 'resent'}` }
}

const remove = (
  access: Access,
  page: string,
  of: { params: { id: string }; subject: string },
  values: URLSearchParams,
): Promise<Next> =>
  actByForm(
    access,
    { page, values },
    { ...of, endpoint: contract.deleteWebhookEndpoint, action: 'endpoint.delete' },
    ({ context }) => webhooks.remove(context, of.subject),
    () => `${access.path}/endpoints?done=deleted`,
  )
