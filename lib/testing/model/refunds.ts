import { smaller, sum } from '../../kernel/money.ts'
import { reallocate } from './allocate.ts'
import { type Answer, invalid, refused } from './answer.ts'
import { available, feeOf, postPayout, postRefund } from './ledger.ts'
import {
  isGone,
  leftOfLine,
  netOf,
  type Part,
  type Refund,
  refundableOf,
  reverseAll,
  reverseLines,
  totalOf,
} from './reversal.ts'
import { refundView } from './views.ts'
import { later, type Order, share, type World } from './world.ts'

const cancelWindow = { seconds: 60 }

export interface Item {
  readonly line: number | null
  readonly amount: bigint
}

const isRefundable = (order: Order): boolean => order.status === 'paid' && refundableOf(order) > 0n

export function refund(world: World, order: Order, items: readonly Item[]): Answer {
  // If the order has no remaining amount, the service reports only this problem and ill-formed amounts.
  const fields = isRefundable(order) ? brokenRules(order, items) : ['orderId']
  const illFormed = items.flatMap(({ amount }, n) => (amount <= 0n ? [`items.${n}.amount.value`] : []))
  if (illFormed.length + fields.length > 0) return invalid(...illFormed, ...fields)
  return accept(world, order, reverseLines(order, amountsOf(items)))
}

export function refundAll(world: World, order: Order): Answer {
  return isRefundable(order) ? accept(world, order, reverseAll(order), { isFull: true }) : invalid('orderId')
}

function amountsOf(items: readonly Item[]): Map<number, bigint> {
  const numbers = [...new Set(items.map(({ line }) => line))].filter((line) => line !== null)
  return new Map(
    numbers
      .sort((a, b) => a - b)
      .map((n) => [n, sum(items.filter(({ line }) => line === n).map(({ amount }) => amount))]),
  )
}

function brokenRules(order: Order, items: readonly Item[]): string[] {
  const amounts = amountsOf(items)
  const isOver = sum(amounts.values()) > refundableOf(order)
  return items.flatMap(({ line }, n) => {
    if (line === null || (order.lines[line]?.subtotal ?? 0n) <= 0n) return [`items.${n}.itemId`]
    return isOver || (amounts.get(line) ?? 0n) > leftOfLine(order, line).subtotal ? [`items.${n}.amount`] : []
  })
}

function accept(world: World, order: Order, parts: readonly Part[], { isFull = false } = {}): Answer {
  const made: Refund = {
    order,
    parts,
    isFull,
    status: 'pending',
    bankRefuses: false,
    feeReturned: 0n,
    creditNote: null,
    turn: { at: later(world.now, cancelWindow), decided: ++world.decisions },
  }
  order.refunds.push(made)
  world.refunds.push(made)
  return { status: 201, showsRefund: refundView(made) }
}

export function cancelRefund(world: World, refund: Refund): Answer {
  if (refund.status !== 'pending') return refused(422, 'refund_not_cancelable')
  leaveQueue(world, refund)
  reallocate(world, refund.order)
  return { status: 204 }
}

export function leaveQueue(world: World, refund: Refund): void {
  const wasQueued = refund.status === 'queued'
  finish(world, refund, 'canceled')
  if (wasQueued) world.queueTurn ??= { at: world.now, decided: ++world.decisions }
}

export function failRefund(_: World, refund: Refund): Answer {
  const isOver = refund.status === 'refunded' || refund.status === 'failed' || refund.status === 'canceled'
  if (isOver || refund.order.paidTo === 'helper') return invalid('refund')
  refund.bankRefuses = true
  return { status: 200 }
}

export function payOut(world: World, amount: bigint): Answer {
  if (amount <= 0n || amount > available(world)) return invalid('amount')
  postPayout(world, amount)
  return { status: 200 }
}

/**
 * Runs the next step of a refund. At the end of the cancel window, the refund is queued. At the end of the processing,
 * the bank decides.
 */
export function takeTurn(world: World, refund: Refund): void {
  refund.turn = null
  if (refund.status === 'processing') {
    askBank(world, refund)
    return
  }
  refund.status = 'queued'
  processQueue(world)
}

/** Processes the queue, first in, first out. A refund that the balance does not cover stops all later refunds. */
export function processQueue(world: World): void {
  world.queueTurn = null
  for (const refund of world.refunds.filter(({ status }) => status === 'queued')) {
    const fee = feeBack(refund)
    if (netOf(refund) - fee > available(world)) return
    Object.assign(refund, { status: 'processing', feeReturned: fee })
    postRefund.sent(world, refund)
    refund.turn = { at: world.now, decided: ++world.decisions }
  }
}

/**
 * Returns the fee for all refunds of the order in proportion to their amounts, minus the fees that were returned
 * earlier. After a failed refund, rounding can change the result by a cent. The result is never below zero or above the
 * refund.
 */
function feeBack({ order, parts }: Refund): bigint {
  const before = order.refunds.filter(({ status }) => status === 'processing' || status === 'refunded')
  const net = netOf({ parts })
  const given = sum(before.map(({ feeReturned }) => feeReturned))
  const due = share(feeOf(order), sum(before.map(netOf)) + net, order.subtotal) - given
  return due > 0n ? smaller(due, net) : 0n
}

/**
 * The bank refuses a refund if this refund, the completed refunds, and the disputed amounts together exceed the order
 * total. Disputed amounts that were won back do not count. A payment by a test helper can be refunded without this
 * limit.
 */
function askBank(world: World, refund: Refund): void {
  const { order } = refund
  const refunded = sum(order.refunds.filter(({ status }) => status === 'refunded').map(totalOf))
  const disputed = sum(order.chargebacks.filter(isGone).map(({ amount }) => amount))
  const isThere = refunded + disputed + totalOf(refund) <= order.total
  if (order.paidTo === 'helper' || (isThere && !refund.bankRefuses)) {
    refund.creditNote = newCreditNote(world)
    postRefund.made(world, refund)
    finish(world, refund, 'refunded')
  } else {
    postRefund.failed(world, refund)
    finish(world, refund, 'failed')
    reallocate(world, refund.order)
  }
}

const eventNames = { refunded: 'refund.completed', failed: 'refund.failed', canceled: 'refund.canceled' }

function finish(world: World, refund: Refund, status: keyof typeof eventNames): void {
  Object.assign(refund, { status, turn: null })
  world.refundEvents.push({ refund, name: eventNames[status] })
}

export function newCreditNote({ now, creditNotes }: World): string {
  const series = `TEST-CN-${now.getUTCFullYear()}-`
  const number = creditNotes.filter((each) => each.startsWith(series)).length + 1
  creditNotes.push(`${series}${String(number).padStart(6, '0')}`)
  return creditNotes.at(-1) ?? ''
}
