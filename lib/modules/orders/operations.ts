import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import type { listOrders } from './contract.ts'
import { orderResource } from './resource.ts'
import * as store from './store.ts'

/** Refuses `not_found`. */
export async function get(tenant: Tenant, id: string) {
  const order = await store.findOrder(db(), tenant, id)
  if (!order) throw new Refusal('not_found')
  return orderResource(order)
}

export async function list(tenant: Tenant, query: z.infer<typeof listOrders.query & object>, url: URL) {
  return listEnvelope(await store.pageOfOrders(db(), tenant, query), query, url, orderResource)
}
