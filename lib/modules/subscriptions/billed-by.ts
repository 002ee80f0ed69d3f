import type { OrderLine } from '../orders/rules/order.ts'
import type { BilledUnits, Subscription } from './rules/index.ts'

/** The units and amount that a line of an order billed: with tax if the subscription's price has tax. */
export const billedBy = ({ taxBehavior }: Subscription, line: OrderLine): BilledUnits => ({
  paid: taxBehavior === 'inclusive' ? line.total : line.subtotal,
  quantity: line.quantity,
  service: line.onInvoice?.service ?? null,
})
