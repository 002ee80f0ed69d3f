import { chargebackResource } from '../modules/chargebacks/resource.ts'
import { pageOfChargebacks } from '../modules/chargebacks/store.ts'
import type { OrderPage } from '../modules/orders/page.ts'
import { isSale, type Order } from '../modules/orders/rules/order.ts'
import { creditNotesOf, findOrders } from '../modules/orders/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'

const mostShown = 100

/** The documents that explain the figures of an order: the order's chargebacks, credit notes, and replacements, and the sale that the order corrects. */
export async function relatedTo(
  order: Order,
  tenant: Tenant,
): Promise<Pick<OrderPage, 'isSale' | 'chargebacks' | 'credits' | 'replaces' | 'replacedBy' | 'creditNotes'>> {
  const { creditedOrderId, replacesOrderId, replacedById } = order
  const ids = [creditedOrderId, replacesOrderId, replacedById].filter((id) => id !== null)
  const others = ids.length > 0 ? await findOrders(db(), tenant, ids) : []
  const other = (id: string | null) => {
    const found = others.find((each) => each.id === id)
    return found ? { id: found.id, invoiceNumber: found.invoice?.number ?? null } : null
  }
  const { rows } = await pageOfChargebacks(db(), tenant, { limit: mostShown }, { orderId: order.id })
  return {
    isSale: isSale(order),
    chargebacks: rows.map(chargebackResource),
    credits: other(creditedOrderId),
    replaces: other(replacesOrderId),
    replacedBy: other(replacedById),
    creditNotes: await creditNotesOf(db(), tenant, order.id, mostShown),
  }
}
