import type { OrderLine } from '../orders/rules/order.ts'
import type { BilledUnits, Subscription } from './rules/index.ts'

/** What a line of an order billed for its units: with tax if the subscription's price has it. */
export const billedBy = ({ taxBehavior }: Subscription, line: OrderLine): BilledUnits => ({
  paid: taxBehavior === 'inclusive' ? line.total : line.subtotal,
  quantity: line.quantity,
  service: line.onInvoice?.service ?? null,
})
