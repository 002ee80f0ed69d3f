import type { InvoiceUpdateLink } from '../../modules/invoice-updates/rules/link.ts'
import * as store from '../../modules/invoice-updates/store.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'

export interface FoundUpdate {
  readonly link: InvoiceUpdateLink
  readonly tenant: Tenant
  readonly order: Order
  readonly number: string
  readonly now: Date
}

export async function findUpdate(token: string): Promise<FoundUpdate | null> {
  const id = openLinkToken('invoice_update', 'invoice_link_', token)
  const found = id === null ? null : await store.findLinkAnywhere(db(), id)
  if (!found) return null
  const order = await currentInvoice(db(), found.tenant, found.link.orderId)
  if (!order?.invoice) return null
  return { ...found, order, number: order.invoice.number, now: await clockNow(db(), found.tenant) }
}

export async function currentInvoice(sql: Sql, tenant: Tenant, orderId: string): Promise<Order | null> {
  const order = await findOrder(sql, tenant, orderId)
  return order?.replacedById ? findOrder(sql, tenant, order.replacedById) : order
}
