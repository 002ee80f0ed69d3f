import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { documentNumber, type Order } from '../../modules/orders/rules/order.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { recipientsOf } from './recipients.ts'

export async function sendPurchaseUnpaid(
  tx: Transaction,
  order: Order,
  { endsAt, isReminder }: { readonly endsAt: Date; readonly isReminder: boolean },
): Promise<string | null> {
  if (!order.checkoutId) throw new Error(`the purchase ${order.id} has no checkout`)
  const { to, locale, common } = (await recipientsOf(tx, [order]))(order)
  const content = {
    ...common,
    kind: 'purchase_unpaid',
    isReminder,
    invoiceNumber: documentNumber(order),
    amount: amount(order.total, order.currency),
    until: toWire(endsAt),
    url: pageUrl(checkoutPath(order.checkoutId)),
  } as const
  return enqueueEmail(tx, { to, locale, content })
}
