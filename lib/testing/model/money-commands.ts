import fc from 'fast-check'
import { createPayout } from '../../modules/payouts/operations.ts'
import * as chargebacks from '../../workflows/chargeback/operations.ts'
import { failAtBank } from '../../workflows/refund/operations.ts'
import { send } from '../api.ts'
import { invalid } from './answer.ts'
import { chargebackMoves, moveChargeback, raise } from './chargebacks.ts'
import { disputed, paidOut, type RefundItems, refundItems } from './choices.ts'
import { Command, type Deed, onOneOf, print } from './command.ts'
import { available } from './ledger.ts'
import { endRecovery } from './operations.ts'
import { isOwed, payOnPage } from './owed-sale.ts'
import { asReply, payOwedSale, price, type Real, returnDebit as returnDebitOf } from './real.ts'
import * as model from './refunds.ts'
import { returnCodes, returnDebit } from './returned-debits.ts'
import { type Chargeback, chargebackStatuses, isOpen, leftOfLine, refundableOf } from './reversal.ts'
import { type Order, ordersOf, share, type World } from './world.ts'

const ofAmount = (amount: bigint, thousandths: number): bigint => {
  const part = share(amount, BigInt(thousandths), 1000n)
  // If `thousandths` exceeds 1000, the result is at least one cent more than the whole amount. If `thousandths` is
  // positive, the result is at least one cent.
  if (thousandths > 1000) return part > amount ? part : amount + 1n
  return part === 0n && thousandths > 0 ? 1n : part
}

const idOf = (ids: readonly string[], number: number): string => ids[number] ?? ''

const onOrder = onOneOf('order', ordersOf)
const isRefundable = (order: Order) => refundableOf(order) > 0n
const isBegun = (order: Order) => isRefundable(order) && refundableOf(order) < order.subtotal
const isRefunding = ({ refunds }: Order) => refunds.some(isOpen)
const isCaptured = ({ paidTo }: Order) => paidTo !== null
const nothing = fc.constant(null)
const anyone = () => true

/**
 * Items of one line share the remaining amount of the line. Without a `flaw`, the items respect the limit of each line,
 * but can exceed the limit of the order.
 */
function itemsOf(order: Order, { items, flaw }: RefundItems): model.Item[] {
  const numbers = order.lines.flatMap(({ subtotal }, number) => (subtotal > 0n ? [number] : []))
  const credit = order.lines.findIndex(({ subtotal }) => subtotal < 0n)
  const named = items.map(({ line }) => numbers[line % numbers.length] ?? 0)
  return items.map(({ part }, n) => {
    const line = named[n] ?? 0
    const { subtotal } = leftOfLine(order, line)
    const amount = ofAmount(subtotal / BigInt(named.filter((each) => each === line).length), part) || 1n
    if (n > 0 || flaw === null) return { line, amount }
    const flawed = {
      nothing: { line, amount: 0n },
      'too much': { line, amount: subtotal + amount },
      'line of another order': { line: null, amount },
      'credit line': { line: credit < 0 ? line : credit, amount },
    }
    return flawed[flaw]
  })
}

const refunding = (weight: number, meantFor: (order: Order) => boolean) =>
  onOrder(weight, 'refund', meantFor, refundItems, ({ world, real, thing: order, number }, chosen) => {
    const items = itemsOf(order, chosen)
    const id = idOf(real.orderIds, number)
    const lineIds = real.lineIds.get(id) ?? []
    const body = {
      items: items.map(({ line, amount }) => ({
        itemId: line === null ? 'order_item_0000000000000000000000' : lineIds[line],
        amount: price(amount),
      })),
    }
    return {
      said: `refund ${print(items)}`,
      really: () => send(`POST /v1/orders/${id}/refunds`, { key: real.key, body }),
      inModel: () => model.refund(world, order, items),
    }
  })

const refundingAll = onOrder(5, 'refund all', isRefundable, nothing, ({ world, real, thing: order, number }) => ({
  said: 'refund all',
  really: () => send(`POST /v1/orders/${idOf(real.orderIds, number)}/refunds/full`, { key: real.key }),
  inModel: () => model.refundAll(world, order),
}))

/** Disputes with the reason `fraud` or `subscription_canceled` end subscriptions. */
const disputeReasons = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('fraud', 'subscription_canceled') },
  { weight: 5, arbitrary: fc.constantFrom('duplicate', 'product_unacceptable', 'something else') },
)

const disputing = (weight: number, meantFor: (order: Order) => boolean) =>
  onOrder(
    weight,
    'chargeback',
    meantFor,
    fc.record({ part: disputed, reason: disputeReasons }),
    ({ world, real, thing: order, number }, { part, reason }) => {
      const amount = part === null ? null : ofAmount(order.total, part)
      const asked = { reason, ...(amount !== null && { amount: price(amount).value }) }
      return {
        said: `chargeback ${print(asked)}`,
        really: () => asReply(chargebacks.raise(idOf(real.orderIds, number), asked)),
        inModel: () => raise(world, order, amount, reason),
      }
    },
  )

const returning = onOneOf('debit', (world: World) => ordersOf(world).filter(({ isDebit }) => isDebit))(
  14,
  'return debit',
  ({ status }) => status === 'paid',
  fc.constantFrom(...returnCodes),
  ({ world, real, thing: order }, code) => ({
    said: `the bank returns the debit: ${code}`,
    really: () => asReply(returnDebitOf(real, idOf(real.orderIds, ordersOf(world).indexOf(order)), code)),
    inModel: () => ({ answer: { status: 200 }, happens: () => returnDebit(world, order, code) }),
  }),
)

const endingRecovery = onOrder(
  3,
  'end recovery',
  ({ recovery, change }) => recovery?.open === true && change !== null,
  nothing,
  ({ world, real, thing: order, number }) => ({
    said: 'end recovery',
    really: () => send(`DELETE /v1/orders/${idOf(real.orderIds, number)}/recovery`, { key: real.key }),
    inModel: () => endRecovery(world, order),
  }),
)

const owedSales = (world: World) => ordersOf(world).filter(({ isSale, hasInvoice }) => isSale && hasInvoice)

const payingOnPage = onOneOf('sale', owedSales)(
  5,
  'pay owed sale',
  isOwed,
  fc.record({
    method: fc.constantFrom('creditcard', 'paypal', 'directdebit'),
    outcome: fc.constantFrom('paid', 'paid', 'paid', 'failed', 'canceled'),
  }),
  ({ world, real, thing: order }, chosen) => ({
    said: `the buyer pays the sale ${print(chosen)}`,
    really: () => asReply(payOwedSale(real, idOf(real.orderIds, ordersOf(world).indexOf(order)), chosen)),
    inModel: () => payOnPage(world, order, chosen),
  }),
)

const onRefund = onOneOf('refund', ({ refunds }: World) => refunds)

const canceling = onRefund(5, 'cancel refund', anyone, nothing, ({ world, real, thing, number }) => {
  const orderId = idOf(real.orderIds, ordersOf(world).indexOf(thing.order))
  const path = `/v1/orders/${orderId}/refunds/${idOf(real.refundIds, number)}`
  return {
    said: 'cancel refund',
    really: () => send(`DELETE ${path}`, { key: real.key }),
    inModel: () => model.cancelRefund(world, thing),
  }
})

const failing = onRefund(5, 'refund fail', anyone, nothing, ({ world, real, thing, number }) => ({
  said: 'the bank refuses the refund',
  really: () => asReply(failAtBank(idOf(real.refundIds, number))),
  inModel: () => model.failRefund(world, thing),
}))

const isUndecided = ({ status }: Chargeback) =>
  status === 'pending' || status === 'evidence_submitted' || status === 'requires_amount_review'

const moving = onOneOf('chargeback', ({ chargebacks }: World) => chargebacks)(
  13,
  'move chargeback',
  isUndecided,
  fc.record({ to: fc.constantFrom(...chargebackStatuses), nth: fc.nat(3), isAllowed: fc.nat(2).map((n) => n > 0) }),
  ({ world, real, thing, number }, { nth, isAllowed, ...asked }) => {
    const allowed = chargebackMoves[thing.status]
    const to = (isAllowed && allowed?.[nth % allowed.length]) || asked.to
    return {
      said: `chargeback moves to ${to}`,
      really: () => asReply(chargebacks.move(idOf(real.chargebackIds, number), to)),
      inModel: () => moveChargeback(world, thing, to),
    }
  },
)

/** The service must refuse a refund or a dispute of a credit note. */
const onCreditNote = fc.record({ nth: fc.nat(19), how: fc.constantFrom('refund', 'refund all', 'chargeback') }).map(
  (input) =>
    new Command(
      'credit note',
      input,
      ({ creditNotes }) => creditNotes.length > 0,
      (_, real, { nth, how }): Deed => {
        const id = idOf(real.creditNoteIds, nth % real.creditNoteIds.length)
        const itemId = real.lineIds.get(id)?.[0] ?? 'order_item_0000000000000000000000'
        const body = how === 'refund' ? { items: [{ itemId, amount: price(1n) }] } : {}
        const path = `/v1/orders/${id}/refunds${how === 'refund' ? '' : '/full'}`
        return {
          said: `${how} of a credit note`,
          really: () =>
            how === 'chargeback'
              ? asReply(chargebacks.raise(id, { reason: 'fraud' }))
              : send(`POST ${path}`, { key: real.key, body }),
          inModel: () => invalid(how === 'chargeback' ? 'order' : 'orderId'),
        }
      },
    ),
)

const payingOut = paidOut.map(
  (input) =>
    new Command(
      'payout',
      input,
      () => true,
      (world, real: Real, part): Deed => {
        const amount = ofAmount(available(world) > 0n ? available(world) : 1n, part)
        return {
          said: `payout of ${print(amount)}`,
          really: () => asReply(createPayout(real.shop.scope, { amount: price(amount).value })),
          inModel: () => model.payOut(world, amount),
        }
      },
    ),
)

export const moneyCommands = [
  ...refunding(9, isRefundable),
  ...refunding(6, isBegun),
  ...refundingAll,
  ...disputing(5, isCaptured),
  ...disputing(4, isRefunding),
  ...canceling,
  ...failing,
  ...moving,
  ...returning,
  ...endingRecovery,
  ...payingOnPage,
  ...Array.from({ length: 5 }, () => onCreditNote),
  ...Array.from({ length: 5 }, () => payingOut),
]
