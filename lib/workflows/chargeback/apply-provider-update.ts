import { amount as toAmount } from '../../kernel/money.ts'
import { findAnswer, saveRespondBy } from '../../modules/chargebacks/evidence-store.ts'
import { chargebackResource } from '../../modules/chargebacks/resource.ts'
import {
  type Chargeback,
  type ChargebackStatus,
  chargebackStates,
  needsReview,
} from '../../modules/chargebacks/rules/index.ts'
import * as store from '../../modules/chargebacks/store.ts'
import { sendDecision } from '../../modules/chargebacks/tasks.ts'
import { lockCheckout } from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { post } from '../../modules/ledger/post.ts'
import { postAccepted, postLost, postReceived, postWon } from '../../modules/ledger/rules/chargeback.ts'
import { lockBalance } from '../../modules/ledger/store.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { extended, nothingReversed } from '../../modules/orders/rules/credit-note.ts'
import { convertFor } from '../../modules/orders/rules/exchange.ts'
import { documentNumber, type Order } from '../../modules/orders/rules/order.ts'
import { findOrder, lockOrder, saveOrder } from '../../modules/orders/store.ts'
import type { ProviderChargeback } from '../../modules/payments/provider-data.ts'
import { isReturnKnown } from '../../modules/payments/returns-store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { type Payment, paymentByRef, paymentThatPaid } from '../../modules/payments/store.ts'
import { syncPayment } from '../../modules/payments/tasks.ts'
import { unfinishedRefunds } from '../../modules/refunds/store.ts'
import { config } from '../../platform/config.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { allocate, allocated, posting, reallocate } from '../allocation/allocate.ts'
import { sendChargeback } from '../customer-emails/refund.ts'
import { issueCreditNote } from '../invoicing/credit-notes.ts'
import { cancelRefund } from '../refund/cancel.ts'
import { reopen } from '../returned-debit/reopen.ts'
import { disputeReturned, endDisputed, lockConcerned } from './end-subscriptions.ts'

/**
 * Applies each update of a chargeback once. The first update creates the chargeback. A chargeback under an operator's
 * review does not change. If the bank returned a debit without a dispute, the order becomes unpaid again, and no
 * chargeback is created. Returns `waits: true` if the caller must try again later. The update waits until our books
 * show the payment as paid. It also waits while a refund is at the bank, because the outcome of the refund decides the
 * amount.
 */
export async function applyProviderUpdate(
  tx: Transaction,
  update: ProviderChargeback,
): Promise<{ waits: false; chargeback: Chargeback | null } | { waits: true }> {
  const { sql, ...tenant } = tx
  const before = await paymentByRef(sql, tenant, update.paymentRef)
  const found = before && (await findOrder(sql, tenant, before.orderId))
  if (found?.checkoutId) await lockCheckout(sql, tenant, found.checkoutId)
  const concerned = found && (await lockConcerned(tx, found, before))
  const order = found && (await lockOrder(sql, tenant, found.id))
  const payment = order && (await paymentByRef(sql, tenant, update.paymentRef))
  if (!order || !concerned || !payment)
    throw new Error(`the provider has a chargeback ${update.ref} of a payment that we do not know`)
  failpoint('chargeback.locked')
  if (await isReturnKnown(sql, tenant, update.ref)) return { chargeback: null, waits: false }
  if (payment.returnedAt !== null) {
    await disputeReturned(tx, concerned, update)
    return { chargeback: null, waits: false }
  }
  if (!(await isPaid(tx, payment, update))) return { waits: true }
  const known = await store.chargebackByRef(sql, tenant, update.ref)
  const subscription = concerned.own.find(({ id }) => id === order.subscriptionId) ?? null
  if (!known && (subscription || order.checkoutId) && update.returnedFor) {
    const outcome = await reopen(tx, { order, subscription, payment }, update)
    if (outcome === 'wait') return { waits: true }
    if (outcome === 'reopened') return { chargeback: null, waits: false }
  }
  const at = known ? { order, chargeback: known } : await receive(tx, order, update)
  if (update.respondBy && !isHeld(at.chargeback)) await saveRespondBy(sql, at.chargeback.id, update.respondBy)
  const to = update.status === 'lost' && (await isConceded(tx, at.chargeback)) ? 'accepted' : update.status
  const move = chargebackStates.transitions().find((each) => each.from === at.chargeback.status && each.to === to)
  const chargeback = !move || isHeld(at.chargeback) ? at.chargeback : await moved(tx, at, move.to)
  await endDisputed(tx, concerned, chargeback ?? at.chargeback, { isReceived: known === null })
  return chargeback ? { chargeback, waits: false } : { waits: true }
}

/**
 * Whether the merchant accepted the dispute in the admin area. Stripe reports such a dispute as lost, so only our
 * stored answer shows the acceptance.
 */
const isConceded = async ({ sql, ...tenant }: Transaction, { id, status }: Chargeback): Promise<boolean> =>
  status === 'pending' && (await findAnswer(sql, tenant, id))?.answer === 'concede'

/**
 * Whether our books show the payment as paid; throws if the payment ended unpaid. Schedules an immediate fetch of an
 * open payment, because the notice of a dispute can arrive before the notice of its payment.
 */
async function isPaid({ now, enqueue }: Transaction, { status }: Payment, { ref, paymentRef }: ProviderChargeback) {
  if (status === 'paid') return true
  if (paymentStates.isFinal(status))
    throw new Error(`the provider has a chargeback ${ref} of a payment that is ${status} here`)
  await enqueue(syncPayment, { key: paymentRef, data: { ref: paymentRef }, dueAt: now })
  return false
}

/**
 * Applies the decision of an operator. An accepted chargeback takes the remaining amount of the order. Returns null if
 * no review is pending, or if a refund is at the bank.
 */
export async function decide(tx: Transaction, id: string, to: 'accepted' | 'rejected'): Promise<Chargeback | null> {
  const { sql, now, enqueue, ...tenant } = tx
  const before = await store.findChargeback(sql, tenant, id)
  const found = before && (await findOrder(sql, tenant, before.orderId))
  const concerned = found && (await lockConcerned(tx, found, await paymentThatPaid(sql, found.id)))
  const order = found && (await lockOrder(sql, tenant, found.id))
  const chargeback = order && (await store.findChargeback(sql, tenant, id))
  if (!order || chargeback?.status !== 'requires_amount_review') return null
  const decided = await moved(tx, { order, chargeback }, to)
  const { ref } = chargeback
  if (decided && concerned) await endDisputed(tx, concerned, decided, { isReceived: false })
  if (decided) await enqueue(sendDecision, { key: ref, data: { ref, to }, dueAt: now })
  return decided
}

interface Disputed {
  readonly order: Order
  readonly chargeback: Chargeback
}

/**
 * Creates a chargeback and allocates the disputed amount, up to the remaining amount of the order. If the disputed
 * amount exceeds the order total, nothing is allocated until an operator decides.
 */
async function receive(tx: Transaction, order: Order, update: ProviderChargeback): Promise<Disputed> {
  const { sql, now, newId, emit, ...tenant } = tx
  const { customerId, exchangeRate, currency } = order
  const { minor: amount } = update.amount
  if (!customerId) throw new Error(`the paid order ${order.id} has no customer`)
  if (update.amount.currency !== currency)
    throw new Error(`chargeback ${update.ref} is in another currency than its order`)
  const needsDecision = needsReview(amount, order)
  const fee = config().chargebackFee
  const chargeback: Chargeback = {
    ...(needsDecision ? nothingReversed(order) : await allocate(tx, order, amount)),
    id: newId('chargeback_'),
    testmode: tenant.testmode,
    orderId: order.id,
    customerId,
    ref: update.ref,
    status: needsDecision ? 'requires_amount_review' : 'pending',
    reason: update.reason,
    currency,
    amount,
    providerFee: convertFor(exchangeRate, fee),
    creditNoteId: null,
    createdAt: now,
    finishedAt: null,
  }
  const disputed = { ...order, reversedSubtotal: order.reversedSubtotal + chargeback.subtotal }
  await store.insertChargeback(sql, tenant, chargeback)
  const respondBy = needsDecision ? null : (update.respondBy ?? null)
  failpoint('chargeback.inserted')
  if (!needsDecision) {
    await saveOrder(sql, disputed)
    await post(tx, [posting(chargeback, 'chargeback.received', postReceived(sums(chargeback)))])
  }
  await emit({ name: 'order.chargeback_received', entityId: order.id, object: chargebackResource(chargeback) })
  await notifyMembers(
    tx,
    {
      kind: 'chargeback_received',
      invoiceNumber: documentNumber(order),
      amount: toAmount(amount, currency),
      reason: chargeback.reason,
      needsReview: needsDecision,
      ...(!needsDecision && {
        deducted: toAmount(chargeback.total + chargeback.providerFee, currency),
        taken: toAmount(chargeback.total, currency),
        fee: toAmount(chargeback.providerFee, currency),
      }),
      ...(respondBy && { respondBy: respondBy.toISOString() }),
    },
    `/chargebacks/${chargeback.id}`,
  )
  return { order: disputed, chargeback }
}

/**
 * Changes the status of a dispute. Issues a credit note if the dispute is lost or accepted, and returns the money to
 * the merchant if the dispute is won. Returns null, without any effect, while a refund is at the bank.
 */
async function moved(tx: Transaction, disputed: Disputed, to: ChargebackStatus): Promise<Chargeback | null> {
  const { sql, now, emit, ...tenant } = tx
  const staysGone = to === 'accepted' || to === 'lost'
  const forGood = staysGone ? await allocatedFinally(tx, disputed) : disputed
  if (!forGood) return null
  const { order, chargeback } = forGood
  const isFinal = chargebackStates.isFinal(to)
  const next: Chargeback = { ...chargeback, status: to, finishedAt: isFinal ? now : null }
  if (staysGone) {
    await post(tx, [
      isHeld(disputed.chargeback)
        ? posting(next, 'chargeback.accepted', postAccepted(sums(next)))
        : posting(next, 'chargeback.lost', postLost(sums(next))),
    ])
    const creditNote = await issueCreditNote(tx, order, next, null)
    const gone = { ...next, creditNoteId: creditNote.id }
    await store.saveChargeback(sql, gone)
    await store.insertLines(sql, tenant, gone, disputed.chargeback.lines.length)
    failpoint('chargeback.moved')
    await saveOrder(sql, await reallocate(tx, order))
    if (creditNote.total > 0n) await sendChargeback(tx, { order, creditNote })
    return gone
  }
  await store.saveChargeback(sql, next)
  failpoint('chargeback.moved')
  if (to === 'won') {
    await post(tx, [posting(next, 'chargeback.won', postWon(next))])
    const freed = { ...order, reversedSubtotal: order.reversedSubtotal - next.subtotal }
    await saveOrder(sql, await reallocate(tx, freed))
  }
  if (to === 'won' || to === 'rejected')
    await emit({ name: 'order.chargeback_reversed', entityId: order.id, object: chargebackResource(next) })
  return next
}

/**
 * Allocates the rest of the disputed amount. First cancels unsent refunds, because the buyer already has the money and the bank would
 * refuse these refunds. Returns null while a refund is at the bank.
 */
async function allocatedFinally(tx: Transaction, { order, chargeback }: Disputed): Promise<Disputed | null> {
  const { sql, ...tenant } = tx
  let missing = chargeback.amount - chargeback.total
  if (missing === 0n) return { order, chargeback }
  let { refundingSubtotal } = order
  // The lock prevents a worker from sending a queued refund that is canceled here.
  await lockBalance(sql, tenant, order.currency)
  const inTheWay = await unfinishedRefunds(sql, tenant, order.id)
  if (inTheWay.some(({ status }) => status === 'processing')) return null
  for (const refund of inTheWay) {
    if (missing <= 0n) break
    await cancelRefund(tx, refund)
    refundingSubtotal -= refund.subtotal
    missing -= refund.total
  }
  const freed = { ...order, refundingSubtotal }
  const more = await allocate(tx, freed, chargeback.amount - chargeback.total)
  const all = { ...freed, reversedSubtotal: freed.reversedSubtotal + more.subtotal }
  if (more.lines.length === 0) return { order: all, chargeback }
  // Posts nothing for a chargeback under an operator's review, because the caller posts the full amount.
  if (isHeld(chargeback)) return { order: all, chargeback: { ...chargeback, ...extended(order, chargeback, more) } }
  return { order: all, chargeback: await allocated(tx, order, chargeback, more) }
}

const isHeld = ({ status }: Chargeback): boolean => status === 'requires_amount_review'

const sums = ({ total, subtotal, providerFee }: Chargeback) => ({ total, tax: total - subtotal, providerFee })
