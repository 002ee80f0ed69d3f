import { hasKey } from '../modules/accounts/key-store.ts'
import type { Attention, SetUpStep } from '../modules/accounts/page.ts'
import { readBrand } from '../modules/brand/store.ts'
import { pageOfProducts } from '../modules/catalog/store.ts'
import { countPendingChargebacks } from '../modules/chargebacks/store.ts'
import { newestAccounts } from '../modules/payouts/account-store.ts'
import { countOpenRecoveries } from '../modules/recovery/store.ts'
import { countFailedDeliveries, endpointsOf } from '../modules/webhooks/lists.ts'
import { db } from '../platform/db/db.ts'
import type { Access } from './access.ts'

/** Counting stops at this number, for which the pages show "99+". */
export const mostCounted = 100

export async function attentionOf({ tenant, path, mayOpen }: Access): Promise<Attention[]> {
  const [pastDue, disputes, deliveries] = await Promise.all([
    countOpenRecoveries(db(), tenant, mostCounted),
    countPendingChargebacks(db(), tenant, mostCounted),
    mayOpen('deliveries') ? countFailedDeliveries(db(), tenant, mostCounted) : 0,
  ])
  const all: Attention[] = [
    { what: 'pastDue', count: pastDue, url: `${path}/past-due` },
    { what: 'disputes', count: disputes, url: `${path}/chargebacks?status=pending` },
    { what: 'deliveries', count: deliveries, url: `${path}/deliveries?status=failed` },
  ]
  return all.filter(({ count }) => count > 0)
}

export async function setUpOf({ tenant, path, storefront, mayOpen }: Access): Promise<SetUpStep[]> {
  const { brand } = await readBrand(db(), storefront.id)
  const products = await Promise.all(
    (['subscription_plan', 'one_off_product'] as const).map((kind) =>
      pageOfProducts(db(), tenant, kind, { limit: 1 }, true),
    ),
  )
  const steps = [
    { what: 'product', isDone: products.some(({ rows }) => rows.length > 0), page: 'catalog' },
    { what: 'brand', isDone: Object.values(brand).some((value) => value !== null), page: 'brand' },
    { what: 'key', isDone: await hasKey(db(), tenant), page: 'keys' },
    {
      what: 'endpoint',
      isDone: (await endpointsOf(db(), storefront.id, tenant.testmode)).length > 0,
      page: 'endpoints',
    },
    { what: 'bankAccount', isDone: (await newestAccounts(db(), tenant)).length > 0, page: 'balance/account' },
  ] as const
  return steps
    .filter(({ page }) => mayOpen(page))
    .map(({ what, isDone, page }) => ({ what, isDone, url: `${path}/${page}` }))
}
