import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { listOrders } from './contract.ts'
import { orderIdsOfSubscription } from './orders-of-subscription.ts'
import { orderResource } from './resource.ts'
import * as store from './store.ts'

export async function get(tenant: Tenant, id: string) {
  const order = await store.findShownOrder(db(), tenant, id)
  if (!order) throw new Refusal('not_found')
  return orderResource(order)
}

export async function list(tenant: Tenant, query: z.infer<typeof listOrders.query & object>, url: URL) {
  const { subscriptionId, customerId, status } = query
  const ids = subscriptionId && (await orderIdsOfSubscription(db(), tenant, subscriptionId))
  const page = await store.pageOfOrders(db(), tenant, query, { customerId, status, ...(ids && { ids }) })
  return listEnvelope(page, query, url, orderResource)
}
