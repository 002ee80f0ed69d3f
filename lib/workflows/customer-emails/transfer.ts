import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { remindOfTransfer } from '../../modules/payments/tasks.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { recipientsOf } from './recipients.ts'

/** Days after which the buyer is reminded of a bank transfer that has not arrived. */
const reminderDays = [3, 7]

export async function askForTransfer(tx: Transaction, payment: Payment, order: Order): Promise<void> {
  await sendTransferEmail(tx, payment, order, { isReminder: false })
  const { id: paymentId } = payment
  await tx.enqueueAll(
    remindOfTransfer,
    reminderDays.map((days) => ({
      key: `${paymentId} ${days}`,
      data: { paymentId },
      dueAt: new Date(tx.now.getTime() + days * 86_400_000),
    })),
  )
}

export async function sendTransferEmail(
  tx: Transaction,
  { transfer, settlesBefore, amount: due, purpose }: Payment,
  order: Order,
  { isReminder }: { isReminder: boolean },
): Promise<void> {
  if (!transfer || !settlesBefore) return
  const { to, locale, common } = (await recipientsOf(tx, [order]))(order)
  const content = {
    ...common,
    kind: 'transfer_instructions',
    isReminder,
    amount: amount(due.minor, due.currency),
    until: toWire(settlesBefore),
    transfer,
    url: pageUrl(checkoutPath(purpose.id)),
  } as const
  await enqueueEmail(tx, { to, locale, content })
}
