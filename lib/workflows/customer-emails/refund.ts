import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { RefundEmail } from '../../modules/emails/rules/email.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { documentNumber, type Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { summaryOf } from './document.ts'
import { recipientsOf } from './recipients.ts'

interface Returned {
  readonly order: Order
  readonly creditNote: Order
}

export const sendRefund = (tx: Transaction, returned: Returned): Promise<void> => send(tx, returned, 'refund')

export const sendChargeback = (tx: Transaction, returned: Returned): Promise<void> => send(tx, returned, 'chargeback')

export const sendWriteOff = (tx: Transaction, returned: Returned): Promise<void> => send(tx, returned, 'writtenOff')

async function send(
  tx: Transaction,
  { order, creditNote }: Returned,
  cause: NonNullable<RefundEmail['cause']>,
): Promise<void> {
  const { to, locale, common, portalUrl } = (await recipientsOf(tx, [order]))(order)
  const document = summaryOf(creditNote)
  const credited = await creditedOrder(tx, order, creditNote)
  const content = {
    ...common,
    portalUrl,
    kind: 'refund',
    cause,
    document,
    invoiceNumber: documentNumber(credited),
  } as const
  await enqueueEmail(tx, { to, locale, content, orderId: creditNote.id })
}

/** After a tax correction, returns the order of the corrected invoice instead of the original order. */
async function creditedOrder(
  { sql, ...tenant }: Transaction,
  order: Order,
  { id, creditedOrderId }: Order,
): Promise<Order> {
  if (creditedOrderId === order.id) return order
  const credited = creditedOrderId && (await findOrder(sql, tenant, creditedOrderId))
  if (!credited) throw new Error(`${id} credits no order`)
  return credited
}
