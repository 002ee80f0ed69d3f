import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { BuyerNames } from '../customers/rules/billing-details.ts'
import { withReversalLines } from '../orders/rows.ts'
import type { Chargeback } from './rules/index.ts'
import { type ChargebackFilters, chargebackList, toChargeback } from './store.ts'

export interface ChargebackWithOrder {
  readonly id: string
  readonly tenant: Tenant
  readonly chargeback: Chargeback
  /** The deadline for evidence; null if the provider states none. */
  readonly respondBy: Date | null
  readonly customerDetails: BuyerNames
}

const withOrder = { ...withReversalLines, order: { select: { customer_details: true } } } as const

/** The chargebacks with these ids, of any storefront. */
export async function chargebacksWithOrders(sql: Sql, ids: readonly string[]): Promise<ChargebackWithOrder[]> {
  const rows = await sql.chargebacks.findMany({ where: { id: { in: [...ids] } }, include: withOrder })
  return rows.map(toChargebackWithOrder)
}

export const pageOfChargebacksWithOrders = (
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  filters: ChargebackFilters,
): Promise<Page<ChargebackWithOrder>> =>
  page(query, {
    ...chargebackList(sql, tenant, filters),
    find: async (asked) =>
      (await sql.chargebacks.findMany({ ...asked, include: withOrder })).map(toChargebackWithOrder),
  })

type Row = Parameters<typeof toChargeback>[0] & { readonly order: { readonly customer_details: unknown } }

const toChargebackWithOrder = (row: Row): ChargebackWithOrder => ({
  id: row.id,
  tenant: { storefrontId: row.storefront_id, testmode: row.testmode },
  chargeback: toChargeback(row),
  respondBy: row.respond_by,
  customerDetails: row.order.customer_details as BuyerNames,
})
