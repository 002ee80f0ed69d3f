import { toWire } from '../kernel/moment.ts'
import { type EndpointHealth, healthOf, mostWaiting } from '../modules/webhooks/health.ts'
import type { ShownHealth } from '../modules/webhooks/page.ts'
import { mostEndpoints } from '../modules/webhooks/rules/limits.ts'
import { pageOfEndpoints, type WebhookEndpoint } from '../modules/webhooks/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'

/** The endpoints of a storefront and mode with their health. */
export async function endpointsWithHealth(
  tenant: Tenant,
): Promise<{ endpoint: WebhookEndpoint; health: ShownHealth }[]> {
  const { rows } = await pageOfEndpoints(db(), tenant, { limit: mostEndpoints })
  const health = await healthOf(db(), rows)
  return rows.flatMap((endpoint) => {
    const found = health.get(endpoint.id)
    return found ? [{ endpoint, health: shownHealth(found) }] : []
  })
}

/** The health of one endpoint. */
export async function healthOfOne(endpoint: WebhookEndpoint): Promise<ShownHealth> {
  const found = (await healthOf(db(), [endpoint])).get(endpoint.id)
  if (!found) throw new Error(`no health of ${endpoint.id}`)
  return shownHealth(found)
}

/** The number of failing endpoints. */
export async function countFailing(tenant: Tenant): Promise<number> {
  const all = await endpointsWithHealth(tenant)
  return all.filter(({ health }) => health.state === 'failing').length
}

const shownHealth = ({ lastSucceededAt, lastFailure, oldest, ...counts }: EndpointHealth): ShownHealth => ({
  ...counts,
  isMoreWaiting: counts.waiting >= mostWaiting,
  // Attempts are in real time, with milliseconds.
  lastSucceededAt: lastSucceededAt?.toISOString() ?? null,
  lastFailure: lastFailure && { at: lastFailure.at.toISOString(), attempt: lastFailure.attempt },
  oldest: oldest && { deliveryId: oldest.deliveryId, createdAt: toWire(oldest.createdAt) },
})
