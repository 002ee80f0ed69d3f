import type { OrderLine } from '../orders/rules/order.ts'
import type { BilledUnits, Subscription } from './rules/index.ts'

/** With tax if the subscription's price has tax. */
export const billedBy = ({ taxBehavior }: Subscription, line: OrderLine): BilledUnits => ({
  paid: taxBehavior === 'inclusive' ? line.total : line.subtotal,
  quantity: line.quantity,
  service: line.onInvoice?.service ?? null,
})
