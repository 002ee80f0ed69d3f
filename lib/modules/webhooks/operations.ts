import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
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
import { changedSecret, sealSecret, signingSecrets, unreadableSecret } from './secrets.ts'
import * as store from './store.ts'

/**
 * Registers an endpoint. The endpoint needs a public https host, a valid certificate, and a response with 2xx to the
 * ping. Throws `validation_failed` on `url` if a requirement is not met, the URL is a duplicate, or the storefront
 * already has five endpoints in this mode. Throws `rate_limited` if too many pings of the storefront are in progress.
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

/** The demo's receiver does not occupy one of the storefront's five slots. */
const demoSlot = 0

/** The demo's receiver gets no events of sales, because visitors of the demo receive these events at their own endpoints. */
const demoEvents = eventNames.filter((name) => name.startsWith('refund.') || name.startsWith('order.chargeback_'))

/** The demo's receiver is a route of this installation. It gets no ping, because the demo is created before the service listens. */
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

/** Responds as the demo's receiver. Returns null in production, where no demo receiver exists. */
export const receiveAsDemo = (version: string, { eventName }: Record<string, unknown>) =>
  config().environment === 'production' ? null : demoReply(config().port, version, eventName)

/**
 * Changes an endpoint. A new URL is checked as at registration, unless its normalized form equals the normalized
 * current URL.
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
    if (secrets === null) throw invalid('secret', ruleProblem('secret_lost'))
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

const secretsAfter = (endpoint: store.WebhookEndpoint, secret: string | undefined) =>
  secret === undefined ? {} : changedSecret(endpoint, secret, realNow())

/**
 * Sends `webhook.setup` again, even if no events are enabled. If no response arrives, the result states the reason. Throws `not_found`, or `rate_limited` if
 * too many pings of the storefront are in progress.
 */
export async function ping(context: RequestContext, id: string) {
  const endpoint = await store.findEndpoint(db(), context, id)
  if (!endpoint) throw new Refusal('not_found')
  const secrets = signingSecrets(endpoint, realNow())
  const started = performance.now()
  const reply = secrets
    ? await sendSetup(context.storefrontId, endpoint, secrets, await clockNow(db(), context))
    : new DeliveryError(unreadableSecret)
  const result = { ...pingResult(reply), durationMs: Math.round(performance.now() - started) }
  // The transaction changes no data, but stores the response under the request's idempotency key.
  return transact(context, async () => result)
}

const pingResult = (reply: Reply | DeliveryError) =>
  reply instanceof DeliveryError
    ? { delivered: false, status: null, error: reply.message }
    : { delivered: isSuccess(reply), status: reply.status, error: null }

/** Deletes an endpoint. Its pending events are never delivered. Throws `not_found`. */
export async function remove(context: RequestContext, id: string): Promise<void> {
  return transact(context, async ({ sql, now, ...tenant }) => {
    const endpoint = await store.lockEndpoint(sql, tenant, id)
    if (!endpoint) throw new Refusal('not_found')
    await store.deleteEndpoint(sql, id, now)
  })
}

export async function get(tenant: Tenant, id: string) {
  const endpoint = await store.findEndpoint(db(), tenant, id)
  if (!endpoint) throw new Refusal('not_found')
  return endpointResource(endpoint)
}

export async function list(tenant: Tenant, query: z.infer<typeof listWebhookEndpoints.query & object>, url: URL) {
  return listEnvelope(await store.pageOfEndpoints(db(), tenant, query), query, url, endpointResource)
}

export async function listOfEvents(tenant: Tenant, query: z.infer<typeof listWebhookEvents.query & object>, url: URL) {
  return listEnvelope(await store.pageOfEvents(db(), tenant, query), query, url, ({ body }) => JSON.parse(body))
}

/** Returns the event's body, parsed from the bytes that deliveries send. Throws `not_found`. */
export async function getEvent(tenant: Tenant, id: string): Promise<unknown> {
  const body = await store.eventBody(db(), tenant, id)
  if (body === null) throw new Refusal('not_found')
  return JSON.parse(body)
}

export async function listEvents(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
) {
  await requireStorefront(db(), storefrontId)
  return lists.recentEvents(db(), storefrontId, testmode, limit)
}

export async function listEndpoints(storefrontId: string, { testmode }: { testmode?: boolean } = {}) {
  await requireStorefront(db(), storefrontId)
  return lists.endpointsOf(db(), storefrontId, testmode)
}

export async function listDeliveries(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
) {
  await requireStorefront(db(), storefrontId)
  return lists.recentDeliveries(db(), storefrontId, testmode, limit)
}

/**
 * Checks the URL if the request violates the schema in another field, so that one response reports all errors. Sends no
 * ping to the URL.
 */
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

const takenProblem = (taken: Taken, { id, url }: { id: string | null; url: string }): RuleProblem | null =>
  taken.some((other) => other.id !== id && other.url === normalizedUrl(url)) ? ruleProblem('url_taken') : null

function refuseTaken(taken: Taken, endpoint: store.WebhookEndpoint): void {
  const problem = takenProblem(taken, endpoint)
  if (problem) throw invalid('url', problem)
}

const tooMany = ruleProblem('endpoints_at_most', { most: mostEndpoints })

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

function urlProblem({ url, testmode }: { url: string; testmode: boolean }): RuleProblem | null {
  const target = parseHttpUrl(url)
  return target && publicUrlProblem(target, outboundRules(testmode))
}

async function check(
  party: string,
  endpoint: store.WebhookEndpoint,
  secrets: readonly string[],
  now: Date,
): Promise<void> {
  const problem = urlProblem(endpoint)
  if (problem) throw invalid('url', problem)
  const reply = await sendSetup(party, endpoint, secrets, now)
  if (reply instanceof DeliveryError) throw invalid('url', ruleProblem('ping_failed', { reason: reply.problem }))
  if (!isSuccess(reply)) throw invalid('url', ruleProblem('ping_status', { status: reply.status }))
}
