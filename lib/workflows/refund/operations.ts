import type { z } from 'zod'
import { addDuration } from '../../kernel/calendar.ts'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import { transact } from '../../modules/events/transact.ts'
import { enqueueBalanceIncreased } from '../../modules/ledger/post.ts'
import { lockBalance } from '../../modules/ledger/store.ts'
import { wireTaxes } from '../../modules/orders/resource.ts'
import { reversalOf } from '../../modules/orders/rules/credit-note.ts'
import type { Described, OrderLine } from '../../modules/orders/rules/order.ts'
import { leftOf, type Part, reverseAll, totalOf } from '../../modules/orders/rules/reverse.ts'
import { findOrder, lockOrder, reversedOf, saveOrder } from '../../modules/orders/store.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { paymentThatPaid } from '../../modules/payments/store.ts'
import type { createFullRefund, createRefund } from '../../modules/refunds/contract.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import {
  cancelWindow,
  itemProblems,
  notRefundable,
  partsOf,
  partsOfSum,
  type Refund,
  type RefundItem,
  type RefundSum,
  refundStates,
} from '../../modules/refunds/rules/index.ts'
import * as store from '../../modules/refunds/store.ts'
import { windowEnd } from '../../modules/refunds/tasks.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope, type PageQuery } from '../../platform/http/paging.ts'
import { wireMoney } from '../../platform/http/shapes.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { testControlsFor } from '../../providers/index.ts'
import { reallocate } from '../allocation/allocate.ts'
import { newReversal, type ReversalWords, reversalWords } from '../invoicing/credit-notes.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'
import { cancelRefund } from './cancel.ts'
import { processQueue } from './queue.ts'
import { refundAtProvider } from './refund-at-provider.ts'

/** If `orderId` is set, the refund must belong to this order. Refuses with `not_found`. */
export async function get(tenant: Tenant, id: string, orderId?: string) {
  const refund = await store.findRefund(db(), tenant, id, orderId)
  if (!refund) throw new Refusal('not_found')
  return refundResource(refund)
}

export async function list(tenant: Tenant, query: PageQuery & store.RefundFilters, url: URL, orderId?: string) {
  if (orderId !== undefined && !(await findOrder(db(), tenant, orderId))) throw new Refusal('not_found')
  const { customerId, status } = query
  const page = await store.pageOfRefunds(db(), tenant, query, { orderId, customerId, status })
  return listEnvelope(page, query, url, refundResource)
}

/** Amounts are before tax. Refuses with `not_found`, or with `validation_failed` on `orderId` or on every item that violates a rule. */
export async function create(
  context: RequestContext,
  orderId: string,
  body: z.infer<typeof createRefund.body & object>,
) {
  const worded = new Map(body.items.toReversed().map((item) => [item.itemId, item]))
  return request(context, orderId, body.metadata ?? null, (order, left, inWords) => ({
    parts: partsOf(order, left, body.items),
    describe(line) {
      const { description = null, descriptionAdditionalLine = null } = worded.get(line.id) ?? {}
      const words = description === null ? inWords(line, 'refund') : { description, invoiceDescription: null }
      return withLine(words, descriptionAdditionalLine)
    },
  }))
}

/** Refunds the full remaining amount. Refuses with `not_found`, or with `validation_failed` on `orderId`. */
export async function createFull(
  context: RequestContext,
  orderId: string,
  body: z.infer<typeof createFullRefund.body & object>,
) {
  return request(context, orderId, body.metadata ?? null, (order, left, inWords) => {
    const reason = notRefundable(order, left)
    if (reason) throw invalid('orderId', reason)
    return { parts: reverseAll(left), describe: (line) => inWords(line, 'fullRefund') }
  })
}

/** Refunds an amount, divided among the lines. Refuses with `not_found`, or with `validation_failed` on `orderId` or `amount`. */
export async function createOfSum(
  context: RequestContext,
  orderId: string,
  { metadata, ...sum }: RefundSum & { readonly metadata: string | null },
) {
  return request(context, orderId, metadata, (order, left, inWords) => {
    const parts = partsOfSum(order, left, sum)
    const isRest = totalOfAll(parts) === totalOf(left)
    return { parts, describe: (line) => inWords(line, isRest ? 'fullRefund' : 'refund') }
  })
}

const totalOfAll = (parts: readonly Pick<Part, 'subtotal' | 'taxes'>[]): bigint =>
  parts.reduce((all, part) => all + totalOf(part), 0n)

export async function refundable(tenant: Tenant, orderId: string) {
  const order = await findOrder(db(), tenant, orderId)
  if (!order) throw new Refusal('not_found')
  const left = leftOf(order, await reversedOf(db(), orderId))
  const money = (minor: bigint) => wireMoney({ minor, currency: order.currency })
  return {
    reason: notRefundable(order, left),
    total: money(totalOf(left)),
    lines: left.lines.map(({ line, subtotal }) => ({
      id: line.id,
      description: line.description,
      quantity: line.quantity,
      subtotal: money(line.subtotal),
      left: money(subtotal),
    })),
  }
}

/** Refuses like `create` if `asked` has items, and like `createOfSum` if it has an amount. Changes nothing. */
export async function preview(tenant: Tenant, orderId: string, asked: readonly RefundItem[] | RefundSum) {
  const order = await findOrder(db(), tenant, orderId)
  if (!order) throw new Refusal('not_found')
  const left = leftOf(order, await reversedOf(db(), orderId))
  const parts = 'of' in asked ? partsOfSum(order, left, asked) : partsOf(order, left, asked)
  const { subtotal, total, taxSummary, lines } = reversalOf(order, parts, {
    lineIds: [],
    describe: ({ description }) => ({ description, invoiceDescription: null }),
  })
  const money = (minor: bigint) => wireMoney({ minor, currency: order.currency })
  return {
    subtotal: money(subtotal),
    total: money(total),
    taxes: wireTaxes(order.currency, taxSummary),
    lines: lines.map(({ description, subtotal, total }) => ({
      description,
      subtotal: money(subtotal),
      total: money(total),
    })),
  }
}

type Asked = (...of: [...Parameters<typeof notRefundable>, inWords: ReversalWords]) => {
  parts: readonly Part[]
  describe: (line: OrderLine) => Described
}

function withLine({ description, invoiceDescription }: Described, second: string | null): Described {
  const both = (text: string) => [text, second].filter(Boolean).join('\n')
  return { description: both(description), invoiceDescription: invoiceDescription && both(invoiceDescription) }
}

async function request(context: RequestContext, orderId: string, metadata: string | null, asked: Asked) {
  return transact(context, async (tx) => {
    const { sql, now, newId, enqueue, ...tenant } = tx
    const order = await lockOrder(sql, tenant, orderId)
    if (!order) throw new Refusal('not_found')
    const left = leftOf(order, await reversedOf(sql, orderId))
    const { parts, describe } = asked(order, left, await reversalWords(order.locale))
    if (!order.customerId) throw new Error(`the paid order ${orderId} has no customer`)
    const windowEndsAt = addDuration(now, cancelWindow[tenant.testmode ? 'test' : 'live']) ?? now
    const refund: Refund = {
      ...newReversal(tx, order, parts, 'refund_item_', describe),
      id: newId('refund_'),
      testmode: tenant.testmode,
      orderId,
      customerId: order.customerId,
      status: 'pending',
      currency: order.currency,
      metadata,
      feeReturned: 0n,
      windowEndsAt,
      recalledAt: null,
      creditNoteId: null,
      createdAt: now,
      finishedAt: null,
    }
    await store.insertRefund(sql, tenant, refund)
    failpoint('refund.inserted')
    await saveOrder(sql, { ...order, refundingSubtotal: order.refundingSubtotal + refund.subtotal })
    await enqueue(windowEnd, { key: refund.id, data: { refundId: refund.id }, dueAt: windowEndsAt })
    return refundResource(refund)
  })
}

/**
 * Returns an error on `orderId` if the order cannot be refunded, and otherwise an error for each item that violates a rule. `items` contains only the fields
 * that match the schema.
 */
export async function validateReferences(
  tenant: Tenant,
  orderId: string,
  items: readonly Partial<RefundItem>[] = [],
): Promise<FieldErrors> {
  const order = await findOrder(db(), tenant, orderId)
  if (!order) return {}
  const left = leftOf(order, await reversedOf(db(), orderId))
  const reason = notRefundable(order, left)
  if (reason) return { orderId: [reason] }
  return itemProblems(order, left, items)
}

/** Refuses with `not_found` or `refund_not_cancelable`. */
export async function cancel(context: RequestContext, orderId: string, id: string): Promise<void> {
  await transact(context, async (tx) => {
    const { sql, ...tenant } = tx
    const order = await lockOrder(sql, tenant, orderId)
    // An open dispute of the order can take the amount of the canceled refund, which debits the balance. The balance is therefore locked before the refund, as
    // in `processQueue`.
    if (order) await lockBalance(sql, tenant, order.currency)
    const refund = order && (await store.lockRefund(sql, tenant, id))
    if (!refund || refund.orderId !== orderId) throw new Refusal('not_found')
    if (refund.status !== 'pending') throw new Refusal('refund_not_cancelable')
    await cancelRefund(tx, refund)
    const freed = { ...order, refundingSubtotal: order.refundingSubtotal - refund.subtotal }
    await saveOrder(sql, await reallocate(tx, freed))
  })
}

/** Ends the cancel window of a refund. The refund is sent when it is first in the queue and the balance covers it. */
export async function endWindow(tenant: TaskContext, { refundId }: { refundId: string }): Promise<void> {
  await transact(tenant, async (tx) => {
    const refund = await store.findRefund(tx.sql, tenant, refundId)
    if (refund?.status !== 'pending') return
    if (tx.now < refund.windowEndsAt) return new Reschedule(refund.windowEndsAt)
    const { currency } = refund
    if (await processQueue(tx, currency)) await enqueueBalanceIncreased(tx, currency)
    return
  })
}

export async function resumeQueue(tenant: TaskContext, { currency }: Pick<Refund, 'currency'>): Promise<void> {
  await transact(tenant, async (tx) => ((await processQueue(tx, currency)) ? new Reschedule(tx.now) : undefined))
}

/** Sends a refund to the provider exactly once in spite of crashes, and applies the response. */
export async function send(tenant: TaskContext, { refundId }: { refundId: string }): Promise<void> {
  const refund = await store.findRefund(db(), tenant, refundId)
  failpoint('refund.before_provider')
  const outcome = refund?.status === 'processing' ? await askBank(tenant, refund) : null
  failpoint('refund.after_provider')
  await transact(tenant, async (tx) => {
    if (outcome === 'pending' && refund) return new Reschedule(nextLook(refund.windowEndsAt, tx.now))
    if (outcome && outcome !== 'pending') await applyRefundOutcome(tx, refundId, outcome)
    return
  })
}

async function askBank(tenant: Tenant, { id, orderId, total, currency, recalledAt }: Refund) {
  const payment = await paymentThatPaid(db(), orderId)
  if (!payment) throw new Error(`the refunded order ${orderId} was not paid`)
  const isRecalled = recalledAt !== null
  return refundAtProvider(tenant, payment, { idempotencyKey: id, amount: { minor: total, currency }, isRecalled })
}

/** Makes the bank refuse a refund in test mode. Refuses with `validation_failed` if the refund is unknown, live, finished, or simulated. */
export async function failAtBank(id: string) {
  const tenant = await store.tenantOfRefund(db(), id)
  if (!tenant) throw invalid('refund', 'There is no refund with this id.')
  if (!tenant.testmode) throw invalid('refund', 'Is in live mode, where the bank decides.')
  const refund = await store.findRefund(db(), tenant, id)
  if (!refund || refundStates.isFinal(refund.status))
    throw invalid('refund', `The refund is already ${refund?.status}.`)
  const payment = await paymentThatPaid(db(), refund.orderId)
  const controls = payment && testControlsFor(payment)
  if (!controls || payment.ref === null) throw invalid('refund', 'The payment was simulated, so no bank is involved.')
  if (!(await controls.refuseRefund(tenant, { paymentRef: payment.ref, idempotencyKey: id })))
    throw invalid('refund', 'The bank has already decided.')
  return { refundId: id, status: refund.status, bank: 'refuses' }
}
