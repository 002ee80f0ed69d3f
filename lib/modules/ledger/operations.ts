import { type Currency, formatMoney, type Money, parseMoney, amount as toAmount } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireStorefront } from '../accounts/store.ts'
import { transact } from '../events/transact.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import { post } from './post.ts'
import { entries } from './rules/account.ts'
import * as store from './store.ts'

/**
 * The sums of a storefront's accounts: signed decimals, debit positive. Refuses `validation_failed` on an unknown
 * storefront.
 */
export async function balance(tenant: Tenant) {
  await requireStorefront(db(), tenant.storefrontId)
  const rows = await store.balancesOf(db(), tenant)
  return rows.map(({ account, currency, amount }) => ({
    account,
    currency,
    amount: formatMoney({ minor: amount, currency }),
  }))
}

/**
 * The entries of a storefront's ledger, newest first, up to `limit`. Refuses `validation_failed` on an unknown
 * storefront.
 */
export async function listEntries(tenant: Tenant, { limit }: { limit?: number } = {}) {
  await requireStorefront(db(), tenant.storefrontId)
  const rows = await store.entriesOf(db(), tenant, limit)
  return rows.map(({ id, transactionId, account, currency, amount, createdAt, cause, subjectId, orderId }) => ({
    id,
    transactionId,
    account,
    currency,
    amount: formatMoney({ minor: amount, currency }),
    createdAt,
    cause,
    subjectId,
    orderId,
  }))
}

interface Payout {
  readonly amount: string
  readonly currency?: Currency | undefined
  readonly reference?: string | undefined
}

/** Refuses, as `createPayout` will, an amount that is invalid or that the released balance does not cover now. */
export async function checkPayout(tenant: Tenant, { amount, currency = 'EUR' }: Payout): Promise<void> {
  const sums = await store.balancesOf(db(), tenant)
  const owed = sums.find((each) => each.account === 'merchant_balance' && each.currency === currency)
  const held = await heldOf(db(), tenant, currency, await timeOf(db(), tenant))
  refuseUncovered(paidBy(amount, currency), -(owed?.amount ?? 0n), held)
}

/**
 * The part of a balance that is not paid out yet, in minor units: what the sales of the last `PAYOUT_HOLD_DAYS` days add to
 * it. Refunds and disputes that come within these days then find their money. Test mode has no hold.
 */
export async function heldOf(sql: Sql, tenant: Tenant, currency: Currency, now: Date): Promise<bigint> {
  const days = config().payoutHoldDays
  if (tenant.testmode || days === 0) return 0n
  return store.paidSince(sql, tenant, currency, new Date(now.getTime() - days * 86_400_000))
}

function paidBy(amount: string, currency: Currency): Money {
  const paid = parseMoney(amount, currency)
  if (!paid || paid.minor === 0n)
    throw invalid('amount', 'Must be a decimal amount with exactly two decimals, of 0.01 or more.')
  return paid
}

function refuseUncovered({ minor, currency }: Money, balance: bigint, held: bigint): void {
  if (minor <= balance - held) return
  const money = (value: bigint) => `${formatMoney({ minor: value, currency })} ${currency}`
  if (held === 0n) throw invalid('amount', `Must be at most the balance, ${money(balance)}.`)
  const hold = `${money(held)} is held until ${config().payoutHoldDays} days after its payment`
  throw invalid('amount', `Must be at most what is released of the balance, ${money(balance - held)}: ${hold}.`)
}

/**
 * Posts a payout to the merchant: at most what the storefront is owed and is not held. A payout with a reference (of the bank transfer,
 * say) is posted once, however often it is requested. Refuses `validation_failed` on an unknown storefront, on an
 * amount that is invalid or that the balance does not cover, and on a reference of another payout.
 */
export async function createPayout(context: RequestContext, { amount, currency = 'EUR', reference }: Payout) {
  const { storefrontId, testmode } = context
  const tenant = { storefrontId, testmode }
  await requireStorefront(db(), storefrontId)
  const paid = paidBy(amount, currency)
  return transact(context, async (tx) => {
    const balance = await store.lockBalance(tx.sql, tenant, currency)
    const payoutId = reference === undefined ? tx.newId('payout_') : named(tenant, reference)
    const payoutWith = (left: bigint) => ({
      payoutId,
      currency,
      amount: formatMoney(paid),
      balance: formatMoney({ minor: left, currency }),
    })
    const before = await store.payoutOf(tx.sql, payoutId)
    if (before && (before.currency !== currency || before.minor !== paid.minor))
      throw invalid('reference', 'Another payout has it.')
    if (before) return payoutWith(balance)
    refuseUncovered(paid, balance, await heldOf(tx.sql, tenant, currency, tx.now))
    const moved = entries({ merchant_balance: paid.minor, payouts: -paid.minor })
    await post(tx, [{ subjectId: payoutId, cause: 'payout.created', orderId: null, currency, entries: moved }])
    const news = { amount: toAmount(paid.minor, currency), reference: reference ?? null }
    await notifyMembers(tx, { kind: 'payout_created', ...news }, '/balance')
    return payoutWith(balance - paid.minor)
  })
}

/** The id of a payout with a reference: the same id for the same reference. */
const named = ({ storefrontId, testmode }: Tenant, reference: string): string =>
  `payout_${storefrontId}_${testmode ? 'test' : 'live'}_${reference}`
