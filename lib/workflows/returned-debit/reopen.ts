import type { Transaction } from '../../modules/events/transact.ts'
import { post } from '../../modules/ledger/post.ts'
import { postReturned } from '../../modules/ledger/rules/returned-debit.ts'
import { feesOnSales, lockBalance } from '../../modules/ledger/store.ts'
import { convertFor } from '../../modules/orders/rules/exchange.ts'
import { type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { saveOrder } from '../../modules/orders/store.ts'
import type { ProviderChargeback } from '../../modules/payments/provider-data.ts'
import { markDebitReturned } from '../../modules/payments/returns-store.ts'
import { chargedMandate, type Payment } from '../../modules/payments/store.ts'
import { unfinishedRefunds } from '../../modules/refunds/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { config } from '../../platform/config.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { chargeFailed } from '../recovery/charge-outcome.ts'
import { beginPurchaseRecovery } from '../recovery/purchase.ts'
import { cancelRefund } from '../refund/cancel.ts'

interface Collected {
  readonly order: Order
  readonly subscription: Subscription | null
  readonly payment: Payment
}

/**
 * Makes an order unpaid again after the bank returned its debit without a dispute. The invoice stays valid, and a
 * recovery starts. Returns `dispute` if the returned amount differs from the order total, if the order was partly
 * refunded, or if its invoice was replaced. The caller then books a chargeback. Returns `wait` while a refund of the
 * order is at the bank, because the outcome of the refund decides whether the order becomes unpaid.
 */
export async function reopen(
  tx: Transaction,
  { order: before, subscription, payment }: Collected,
  { ref, amount, returnedFor }: Pick<ProviderChargeback, 'ref' | 'amount' | 'returnedFor'>,
): Promise<'reopened' | 'dispute' | 'wait'> {
  const { sql, now, ...tenant } = tx
  if (!returnedFor || amount.minor !== before.total || amount.currency !== before.currency) return 'dispute'
  await lockBalance(sql, tenant, before.currency)
  const refunds = await unfinishedRefunds(sql, tenant, before.id)
  if (refunds.some(({ status }) => status === 'processing')) return 'wait'
  if (before.status !== 'paid' || before.reversedSubtotal > 0n || before.replacedById !== null) return 'dispute'
  for (const refund of refunds) await cancelRefund(tx, refund)
  const order = { ...before, refundingSubtotal: 0n }
  const bankFee = convertFor(order.exchangeRate, config().returnedDebitFee)
  const fee = (await feesOnSales(sql, [order.id])).get(order.id) ?? 0n
  await markDebitReturned(sql, payment.id, { ref, reason: returnedFor, fee: bankFee, at: now })
  failpoint('return.recorded')
  const { id: orderId, currency, total } = order
  const entries = postReturned({ total, fee, bankFee })
  await post(tx, [{ subjectId: payment.id, cause: 'return.received', orderId, currency, entries }])
  const open = { ...order, status: orderStates.on(order.status, 'reopen') }
  await saveOrder(sql, open)
  failpoint('return.reopened')
  if (subscription === null) {
    await beginPurchaseRecovery(tx, open, returnedFor)
    return 'reopened'
  }
  const mandateId = chargedMandate(payment)
  const failure = { reason: returnedFor, simulated: false, mandateId, isReturned: true }
  await chargeFailed(tx, { subscription, order: open }, failure)
  return 'reopened'
}
