import type { OrderLine } from '../orders/rules/order.ts'
import type { BilledUnits, Subscription } from './rules/index.ts'

export const billedBy = ({ taxBehavior }: Subscription, line: OrderLine): BilledUnits => ({
  paid: taxBehavior === 'inclusive' ? line.total : line.subtotal,
  quantity: line.quantity,
  service: line.onInvoice?.service ?? null,
})
