import { transact } from '../../modules/events/transact.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { findPayment } from '../../modules/payments/store.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { sendTransferEmail } from './transfer.ts'

export async function sendTransferReminder(tenant: TaskContext, { paymentId }: { paymentId: string }): Promise<void> {
  await transact(tenant, async (tx) => {
    const payment = await findPayment(tx.sql, tx, paymentId)
    const order = payment && (await findOrder(tx.sql, tx, payment.orderId))
    if (payment?.status === 'pending' && order) await sendTransferEmail(tx, payment, order, { isReminder: true })
  })
}
