import { toWire } from '../kernel/moment.ts'
import { type EndpointHealth, healthOf } from '../modules/webhooks/health.ts'
import type { ShownHealth } from '../modules/webhooks/page.ts'
import { mostEndpoints } from '../modules/webhooks/rules/limits.ts'
import { pageOfEndpoints, type WebhookEndpoint } from '../modules/webhooks/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'

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

export async function healthOfOne(endpoint: WebhookEndpoint): Promise<ShownHealth> {
  const found = (await healthOf(db(), [endpoint])).get(endpoint.id)
  if (!found) throw new Error(`the health of ${endpoint.id} is missing`)
  return shownHealth(found)
}

export async function countFailing(tenant: Tenant): Promise<number> {
  const all = await endpointsWithHealth(tenant)
  return all.filter(({ health }) => health.state === 'failing').length
}

const shownHealth = ({ lastSucceededAt, lastFailure, oldest, ...counts }: EndpointHealth): ShownHealth => ({
  ...counts,
  // Delivery attempts use real time, not the test clock.
  lastSucceededAt: lastSucceededAt?.toISOString() ?? null,
  lastFailure: lastFailure && { at: lastFailure.at.toISOString(), attempt: lastFailure.attempt },
  oldest: oldest && { deliveryId: oldest.deliveryId, createdAt: toWire(oldest.createdAt) },
})
