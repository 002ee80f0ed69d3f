import type { Transaction } from '../../modules/events/transact.ts'
import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { isReturned, type Payment } from '../../modules/payments/store.ts'
import { returnPayment } from '../../modules/payments/tasks.ts'

export const isTooLate = ({ status, amount, returnedAt }: Payment, update: Pick<AppliedUpdate, 'status'>): boolean =>
  update.status === 'paid' &&
  status !== 'paid' &&
  paymentStates.isFinal(status) &&
  amount.minor > 0n &&
  returnedAt === null

export async function returnLater({ sql, enqueue, now }: Transaction, { id }: Payment): Promise<void> {
  if (await isReturned(sql, id)) return
  await enqueue(returnPayment, { key: id, data: { paymentId: id }, dueAt: now })
}
