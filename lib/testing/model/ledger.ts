import type { Chargeback, Refund } from './reversal.ts'
import { netOf, taxOf, totalOf } from './reversal.ts'
import { type Order, share, type World } from './world.ts'

/** Double-entry accounts. Debits are positive, so the balance owed to the merchant is negative. */

export type Account =
  | 'provider_clearing'
  | 'merchant_balance'
  | 'tax_payable'
  | 'platform_fee'
  | 'refunds'
  | 'chargebacks'
  | 'provider_fees'
  | 'payouts'

/**
 * The fee of the provider for a dispute, in cents. The provider keeps the fee even if the merchant wins the dispute.
 */
export const disputeFee = 1500n

/** Our fee in cents: 5 % of the net amount plus 0.50, at most the net amount. */
export function feeOf({ subtotal }: Order): bigint {
  const fee = share(subtotal, 5n, 100n) + 50n
  return fee < subtotal ? fee : subtotal
}

export const available = ({ books }: World): bigint => -(books.get('merchant_balance') ?? 0n)

function book(world: World, moved: Partial<Record<Account, bigint>>): void {
  for (const [account, amount] of Object.entries(moved) as [Account, bigint][])
    world.books.set(account, (world.books.get(account) ?? 0n) + amount)
  const grows = (moved.merchant_balance ?? 0n) < 0n
  const isAwaited = world.refunds.some(({ status }) => status === 'queued')
  if (grows && isAwaited) world.queueTurn ??= { at: world.now, decided: ++world.decisions }
}

export function postSale(world: World, order: Order): void {
  const [fee, tax] = [feeOf(order), order.total - order.subtotal]
  book(world, {
    provider_clearing: order.total,
    merchant_balance: fee - order.subtotal,
    tax_payable: -tax,
    platform_fee: -fee,
  })
}

const returnedDebitFee = 750n

export const postReturned = (world: World, order: Order): void =>
  book(world, {
    provider_clearing: -order.total,
    platform_fee: feeOf(order),
    provider_fees: -returnedDebitFee,
    merchant_balance: order.total - feeOf(order) + returnedDebitFee,
  })

export const postPaidAgain = (world: World, order: Order): void =>
  book(world, {
    provider_clearing: order.total,
    platform_fee: -feeOf(order),
    merchant_balance: feeOf(order) - order.total,
  })

export const postWrittenOff = (world: World, { total, subtotal }: Order): void =>
  book(world, { tax_payable: total - subtotal, merchant_balance: subtotal - total })

export const postRefund = {
  sent: (world: World, refund: Refund) =>
    book(world, {
      merchant_balance: netOf(refund) - refund.feeReturned,
      platform_fee: refund.feeReturned,
      refunds: -netOf(refund),
    }),
  made: (world: World, refund: Refund) =>
    book(world, { provider_clearing: -totalOf(refund), tax_payable: taxOf(refund), refunds: netOf(refund) }),
  failed: (world: World, refund: Refund) =>
    book(world, {
      merchant_balance: refund.feeReturned - netOf(refund),
      platform_fee: -refund.feeReturned,
      refunds: netOf(refund),
    }),
}

/**
 * The merchant pays the allocated amount and the fee for the dispute. The credit note gives the tax back to the
 * merchant.
 */
export const postChargeback = {
  fee: (world: World) => book(world, { merchant_balance: disputeFee, provider_fees: -disputeFee }),
  allocated: (world: World, more: bigint) => book(world, { merchant_balance: more, chargebacks: -more }),
  credited: (world: World, chargeback: Chargeback) =>
    book(world, {
      provider_clearing: -totalOf(chargeback),
      merchant_balance: -taxOf(chargeback),
      tax_payable: taxOf(chargeback),
      chargebacks: totalOf(chargeback),
    }),
  won: (world: World, chargeback: Chargeback) =>
    book(world, { merchant_balance: -totalOf(chargeback), chargebacks: totalOf(chargeback) }),
}

export const postPayout = (world: World, amount: bigint): void =>
  book(world, { merchant_balance: amount, payouts: -amount })
