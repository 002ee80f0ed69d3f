import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { parseHttpUrl } from '../../kernel/url.ts'
import { now as clockNow, realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId, randomBase62 } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { DeliveryError, type Reply } from '../../platform/outbound/outbound-http.ts'
import { outboundRules, publicUrlProblem } from '../../platform/outbound/public-address.ts'
import { requireStorefront } from '../accounts/store.ts'
import { eventNames } from '../events/event-types.ts'
import { transact } from '../events/transact.ts'
import type {
  createWebhookEndpoint,
  listWebhookEndpoints,
  listWebhookEvents,
  updateWebhookEndpoint,
} from './contract.ts'
import * as lists from './lists.ts'
import { isSuccess, sendSetup } from './ping.ts'
import { endpointResource } from './resource.ts'
import { demoReceiverUrl, demoReply } from './rules/demo-receiver.ts'
import { mostEndpoints } from './rules/limits.ts'
import { normalizedUrl } from './rules/url.ts'
import { changedSecret, sealSecret, signingSecrets, unopenedSecret } from './secrets.ts'
import * as store from './store.ts'

/**
 * Registers an endpoint that passes its checks: a public https host, a valid certificate, and a 2xx to the ping.
 * Refuses `validation_failed` on `url`, also for a duplicate and for a sixth endpoint.
 */
export async function register(context: RequestContext, body: z.infer<typeof createWebhookEndpoint.body & object>) {
  const now = await clockNow(db(), context)
  const id = newId('webhook_', now)
  const endpoint: store.WebhookEndpoint = {
    id,
    testmode: context.testmode,
    url: body.url,
    sealedSecret: sealSecret(id, body.secret),
    previousSecret: null,
    enabledEvents: body.enabledEvents ?? eventNames,
    createdAt: now,
    deleted: false,
  }
  freeSlot(await store.takenEndpoints(db(), context), endpoint)
  await check(context.storefrontId, endpoint, [body.secret], now)
  return transact(context, async ({ sql, now, ...tenant }) => {
    const slot = freeSlot(await store.takenEndpoints(sql, tenant), endpoint)
    await store.insertEndpoint(sql, tenant, endpoint, { slot, now })
    return endpointResource(endpoint)
  })
}

/** The demo's receiver uses none of the storefront's slots. */
const demoSlot = 0

/**
 * The demo's receiver gets the events of returned money. Sales that people try in the demo are for their own endpoints.
 */
const demoEvents = eventNames.filter((name) => name.startsWith('refund.') || name.startsWith('order.chargeback_'))

/**
 * Registers an endpoint for the demo, whose receiver is a route of this installation. It gets no ping, because the demo
 * is created before the service listens.
 */
export const registerDemoReceiver = (tenant: Tenant): Promise<void> =>
  transact(tenant, async ({ sql, now, ...tenant }) => {
    const id = newId('webhook_', now)
    const endpoint: store.WebhookEndpoint = {
      id,
      testmode: tenant.testmode,
      url: demoReceiverUrl(config().port),
      sealedSecret: sealSecret(id, randomBase62(40)),
      previousSecret: null,
      enabledEvents: demoEvents,
      createdAt: now,
      deleted: false,
    }
    await store.insertEndpoint(sql, tenant, endpoint, { slot: demoSlot, now })
  })

/** The response of the demo's receiver; null if there is no receiver, as in production. */
export const receiveAsDemo = (version: string, { eventName }: Record<string, unknown>) =>
  config().environment === 'production' ? null : demoReply(config().port, version, eventName)

/**
 * Changes the fields that are sent. A new URL is checked as at registration; the same URL (in normalized form) is not.
 */
export async function update(
  context: RequestContext,
  id: string,
  body: z.infer<typeof updateWebhookEndpoint.body & object>,
) {
  const before = await store.findEndpoint(db(), context, id)
  if (!before) throw new Refusal('not_found')
  const moves = body.url !== undefined && normalizedUrl(body.url) !== normalizedUrl(before.url)
  if (moves) {
    const moved = { ...before, ...secretsAfter(before, body.secret), url: body.url ?? before.url }
    refuseTaken(await store.takenEndpoints(db(), context), moved)
    const secrets = signingSecrets(moved, realNow())
    if (secrets === null) throw invalid('secret', 'Must be sent too: the stored one cannot be opened any more.')
    await check(context.storefrontId, moved, secrets, await clockNow(db(), context))
  }
  return transact(context, async ({ sql, now, ...tenant }) => {
    const endpoint = await store.lockEndpoint(sql, tenant, id)
    if (!endpoint) throw new Refusal('not_found')
    const next = {
      ...endpoint,
      ...secretsAfter(endpoint, body.secret),
      url: body.url ?? endpoint.url,
      enabledEvents: body.enabledEvents ?? endpoint.enabledEvents,
    }
    if (body.url !== undefined) refuseTaken(await store.takenEndpoints(sql, tenant), next)
    await store.saveEndpoint(sql, next, { before: endpoint, enabledSince: body.enabledEvents && now })
    return endpointResource(next)
  })
}

/** The secrets of an endpoint after a change; unchanged if the change has no secret. */
const secretsAfter = (endpoint: store.WebhookEndpoint, secret: string | undefined) =>
  secret === undefined ? {} : changedSecret(endpoint, secret, realNow())

/**
 * Sends `webhook.setup` to an endpoint again, even if it wants no events. Returns the receiver's response. No response
 * is a result too, and not a refusal. Refuses `not_found`, and `rate_limited` like `sendSetup`.
 */
export async function ping(context: RequestContext, id: string) {
  const endpoint = await store.findEndpoint(db(), context, id)
  if (!endpoint) throw new Refusal('not_found')
  const secrets = signingSecrets(endpoint, realNow())
  const started = performance.now()
  const reply = secrets
    ? await sendSetup(context.storefrontId, endpoint, secrets, await clockNow(db(), context))
    : new DeliveryError(unopenedSecret)
  const result = { ...pingResult(reply), durationMs: Math.round(performance.now() - started) }
  // Changes nothing. The transaction stores the response to a request with an idempotency key.
  return transact(context, async () => result)
}

const pingResult = (reply: Reply | DeliveryError) =>
  reply instanceof DeliveryError
    ? { delivered: false, status: null, error: reply.message }
    : { delivered: isSuccess(reply), status: reply.status, error: null }

/** Deletes an endpoint; its undelivered events are never delivered. Refuses `not_found`. */
export async function remove(context: RequestContext, id: string): Promise<void> {
  return transact(context, async ({ sql, now, ...tenant }) => {
    const endpoint = await store.lockEndpoint(sql, tenant, id)
    if (!endpoint) throw new Refusal('not_found')
    await store.deleteEndpoint(sql, id, now)
  })
}

/** Refuses `not_found`. */
export async function get(tenant: Tenant, id: string) {
  const endpoint = await store.findEndpoint(db(), tenant, id)
  if (!endpoint) throw new Refusal('not_found')
  return endpointResource(endpoint)
}

export async function list(tenant: Tenant, query: z.infer<typeof listWebhookEndpoints.query & object>, url: URL) {
  return listEnvelope(await store.pageOfEndpoints(db(), tenant, query), query, url, endpointResource)
}

/** Events as they are delivered, newest first. */
export async function listOfEvents(tenant: Tenant, query: z.infer<typeof listWebhookEvents.query & object>, url: URL) {
  return listEnvelope(await store.pageOfEvents(db(), tenant, query), query, url, ({ body }) => JSON.parse(body))
}

/** The stored event, byte for byte as it is delivered. Refuses `not_found`. */
export async function getEvent(tenant: Tenant, id: string): Promise<unknown> {
  const body = await store.eventBody(db(), tenant, id)
  if (body === null) throw new Refusal('not_found')
  return JSON.parse(body)
}

/** For operators: the newest events of a storefront, of one mode or both. Refuses an unknown storefront. */
export async function listEvents(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
) {
  await requireStorefront(db(), storefrontId)
  return lists.recentEvents(db(), storefrontId, testmode, limit)
}

/** For operators: the webhook endpoints of a storefront, of one mode or both. Refuses an unknown storefront. */
export async function listEndpoints(storefrontId: string, { testmode }: { testmode?: boolean } = {}) {
  await requireStorefront(db(), storefrontId)
  return lists.endpointsOf(db(), storefrontId, testmode)
}

/** For operators: the newest deliveries of a storefront with their attempts. Refuses an unknown storefront. */
export async function listDeliveries(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
) {
  await requireStorefront(db(), storefrontId)
  return lists.recentDeliveries(db(), storefrontId, testmode, limit)
}

/** Checks the URL of a new or changed endpoint, for a request that the schema refuses. The ping is not sent then. */
export async function validateReferences(
  caller: Tenant,
  id: string | null,
  { url }: WellFormed<z.infer<typeof updateWebhookEndpoint.body & object>>,
): Promise<FieldErrors> {
  if (url === undefined) return {}
  const taken = await store.takenEndpoints(db(), caller)
  const problem =
    takenProblem(taken, { id, url }) ??
    (id === null && slotOf(taken) === undefined ? tooMany : null) ??
    urlProblem({ url, testmode: caller.testmode })
  return problem ? { url: [problem] } : {}
}

type Taken = Awaited<ReturnType<typeof store.takenEndpoints>>

const takenProblem = (taken: Taken, { id, url }: { id: string | null; url: string }): string | null =>
  taken.some((other) => other.id !== id && other.url === normalizedUrl(url))
    ? 'Another endpoint of this storefront and mode has this URL.'
    : null

function refuseTaken(taken: Taken, endpoint: store.WebhookEndpoint): void {
  const problem = takenProblem(taken, endpoint)
  if (problem) throw invalid('url', problem)
}

const tooMany = `A mode of a storefront can have ${mostEndpoints} webhook endpoints.`

const slotOf = (taken: Taken): number | undefined =>
  Array.from({ length: mostEndpoints }, (_, index) => index + 1).find((slot) =>
    taken.every((other) => other.slot !== slot),
  )

function freeSlot(taken: Taken, endpoint: store.WebhookEndpoint): number {
  refuseTaken(taken, endpoint)
  const free = slotOf(taken)
  if (free === undefined) throw invalid('url', tooMany)
  return free
}

/** Why webhooks of a mode cannot use this URL, or null. */
function urlProblem({ url, testmode }: { url: string; testmode: boolean }): string | null {
  const target = parseHttpUrl(url)
  return target && publicUrlProblem(target, outboundRules(testmode))
}

/** Checks the URL's form, then sends the ping. Refuses `validation_failed` on `url`. */
async function check(
  party: string,
  endpoint: store.WebhookEndpoint,
  secrets: readonly string[],
  now: Date,
): Promise<void> {
  const problem = urlProblem(endpoint)
  if (problem) throw invalid('url', problem)
  const reply = await sendSetup(party, endpoint, secrets, now)
  if (reply instanceof DeliveryError) throw invalid('url', `The webhook.setup ping was not answered. ${reply.message}`)
  if (!isSuccess(reply))
    throw invalid('url', `The webhook.setup ping must be answered with 2xx; the answer was ${reply.status}.`)
}
