import { toWire } from '../../kernel/moment.ts'
import { type Currency, formatMoney, type Money, parseMoney, amount as toAmount } from '../../kernel/money.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { sepaReference } from '../../kernel/sepa.ts'
import { type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireSelling } from '../accounts/require-selling.ts'
import { requireStorefront } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import type { Actor } from '../audit/rules/entry.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { post } from '../ledger/post.ts'
import { entries } from '../ledger/rules/account.ts'
import { balancesOf, lockBalance } from '../ledger/store.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import { newestAccounts } from './account-store.ts'
import { refuseUncovered, withheldFrom } from './release.ts'
import { type PayoutMove, payoutStates } from './rules/state.ts'
import type { Payout } from './store.ts'
import * as store from './store.ts'

interface Asked {
  readonly amount: string
  readonly currency?: Currency | undefined
  readonly reference?: string | undefined
}

/**
 * Checks whether a payout can be created. Throws if the amount is invalid or above the released balance, or if the
 * reference belongs to another payout. Accepts a repeated request for an existing payout.
 */
export async function checkPayout(tenant: Tenant, asked: Asked, byHand = true): Promise<void> {
  const { amount, currency = 'EUR' } = asked
  const paid = paidBy(amount, currency)
  if (await bookedBefore(db(), tenant, asked.reference, paid, byHand)) return
  const sums = await balancesOf(db(), tenant)
  const owed = sums.find((each) => each.account === 'merchant_balance' && each.currency === currency)
  const withheld = await withheldFrom(db(), tenant, currency, await timeOf(db(), tenant))
  refuseUncovered(paid.minor, currency, -(owed?.amount ?? 0n), withheld)
}

function paidBy(amount: string, currency: Currency): Money {
  const paid = parseMoney(amount, currency)
  if (!paid || paid.minor === 0n) throw invalid('amount', ruleProblem('amount_above_zero'))
  return paid
}

/**
 * Returns the existing payout with the reference, or null. Ignores a canceled or returned payout, because its amount is
 * in the balance again. Throws `validation_failed` if the existing payout differs from the request.
 */
async function bookedBefore(sql: Sql, tenant: Tenant, reference: string | undefined, paid: Money, byHand: boolean) {
  const before = reference === undefined ? null : await store.payoutWith(sql, tenant, reference)
  if (before && (before.currency !== paid.currency || before.amount !== paid.minor || before.byHand !== byHand))
    throw invalid('reference', ruleProblem('reference_taken'))
  return before
}

/**
 * Records a payout that staff transferred by hand. A reference makes the request safe to repeat: `isNew` is false for a repetition. Throws
 * `validation_failed` if the storefront is unknown, if the amount is invalid or above the released balance, or if the reference belongs to another payout.
 */
export const createPayout = (context: RequestContext, asked: Asked) => book(context, asked, true)

/**
 * Requests a payout for the next bank file (`export.ts`) and deducts the amount from the balance. The currency must be EUR, because staff transfer other
 * currencies by hand. `byMerchant` adds the checks of `refuseToMerchant`.
 */
export async function requestPayout(context: RequestContext, asked: Asked, { byMerchant = false } = {}) {
  refuseAllButEuros(asked)
  return book(context, asked, false, byMerchant)
}

/**
 * Checks whether a merchant may request a payout; staff may request it in any case. Throws `storefront_suspended`. Throws `validation_failed` if the storefront
 * has no bank details, because the amount would be deducted although the bank file cannot contain the payout.
 */
export async function refuseToMerchant(sql: Sql, tenant: Tenant): Promise<void> {
  await requireSelling(sql, tenant)
  if ((await newestAccounts(sql, tenant)).length === 0) throw invalid('amount', ruleProblem('payout_account_missing'))
}

export function refuseAllButEuros({ currency = 'EUR' }: Pick<Asked, 'currency'>): void {
  if (currency !== 'EUR') throw invalid('currency', ruleProblem('payout_in_euros'))
}

async function book(
  context: RequestContext,
  { amount, currency = 'EUR', reference }: Asked,
  byHand: boolean,
  byMerchant = false,
) {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  await requireStorefront(db(), tenant.storefrontId)
  const paid = paidBy(amount, currency)
  return transact(context, async (tx) => {
    if (byMerchant) await refuseToMerchant(tx.sql, tenant)
    const balance = await lockBalance(tx.sql, tenant, currency)
    const answer = (payoutId: string, left: bigint, isNew: boolean) => ({
      payoutId,
      currency,
      amount: formatMoney(paid),
      balance: formatMoney({ minor: left, currency }),
      isNew,
    })
    const before = await bookedBefore(tx.sql, tenant, reference, paid, byHand)
    if (before) return answer(before.id, balance, false)
    refuseUncovered(paid.minor, currency, balance, await withheldFrom(tx.sql, tenant, currency, tx.now))
    const payout = await takeFromBalance(tx, tenant, paid, { byHand, reference: reference ?? null })
    if (byHand) await notifyPaid(tx, payout)
    return answer(payout.id, balance - paid.minor, true)
  })
}

/**
 * Deducts a payout from the balance. The caller must first lock the balance and check that its released part covers the
 * amount.
 */
export async function takeFromBalance(
  tx: Transaction,
  tenant: Tenant,
  { minor, currency }: Money,
  { byHand, reference }: Pick<Payout, 'byHand' | 'reference'>,
): Promise<Omit<Payout, 'batchId'>> {
  const payout = {
    id: tx.newId('payout_'),
    currency,
    amount: minor,
    byHand,
    reference,
    status: byHand ? ('paid' as const) : ('requested' as const),
    createdAt: tx.now,
    finishedAt: byHand ? tx.now : null,
  }
  await store.insertPayout(tx.sql, tenant, payout)
  await postPayout(tx, payout, 'created')
  return payout
}

async function postPayout(tx: Transaction, payout: Omit<Payout, 'batchId'>, what: 'created' | 'returned' | 'canceled') {
  const { id: subjectId, currency } = payout
  const moved = what === 'created' ? payout.amount : -payout.amount
  const sides = entries({ merchant_balance: moved, payouts: -moved })
  await post(tx, [{ subjectId, cause: `payout.${what}`, orderId: null, currency, entries: sides }])
}

const notifyPaid = (tx: Transaction, { id, amount, currency, byHand, reference }: Omit<Payout, 'batchId'>) =>
  notifyMembers(
    tx,
    {
      kind: 'payout_created',
      amount: toAmount(amount, currency),
      reference: byHand ? reference : sepaReference('P', id),
    },
    `/payouts/${id}`,
  )

/**
 * Changes the status of a payout. `confirm`: the bank made the payout. `return`: the bank sent the money back.
 * `cancel`: the payout is not made. A returned or canceled amount is added to the balance. A repeated call changes
 * nothing. Throws `not_found`, or `illegal_move` if the status does not permit the move.
 */
export async function movePayout(context: RequestContext, id: string, move: PayoutMove) {
  const tenant = { storefrontId: context.storefrontId, testmode: context.testmode }
  return transact(context, async (tx) => {
    const known = await store.lockPayout(tx.sql, tenant, id)
    if (!known) throw new Refusal('not_found')
    return shown(await moved(tx, known, move))
  })
}

const targets = { confirm: 'paid', return: 'returned', cancel: 'canceled' } as const

async function moved(tx: Transaction, before: Payout, move: PayoutMove): Promise<Payout> {
  if (before.status === targets[move]) return before
  const status = payoutStates.on(before.status, move, 'illegal_move')
  const payout = { ...before, status, finishedAt: tx.now }
  await store.savePayout(tx.sql, payout)
  if (move === 'confirm') await notifyPaid(tx, payout)
  else await postPayout(tx, payout, targets[move] === 'returned' ? 'returned' : 'canceled')
  if (move === 'return') {
    const amount = toAmount(payout.amount, payout.currency)
    await notifyMembers(tx, { kind: 'payout_returned', amount }, '/balance/account')
  }
  return payout
}

const shown = ({ id, status, amount, currency, reference, byHand, batchId, createdAt, finishedAt }: Payout) => ({
  payoutId: id,
  status,
  amount: formatMoney({ minor: amount, currency }),
  currency,
  reference,
  way: byHand ? ('by hand' as const) : ('bank file' as const),
  batchId,
  createdAt: toWire(createdAt),
  finishedAt: finishedAt && toWire(finishedAt),
})
export type ShownPayout = ReturnType<typeof shown>

export async function listPayouts(tenant: Tenant, { limit = 50 }: { limit?: number } = {}): Promise<ShownPayout[]> {
  await requireStorefront(db(), tenant.storefrontId)
  return (await store.newestPayouts(db(), tenant, limit)).map(shown)
}

/**
 * Changes the status of one payout, or of the payouts with the status `exported` in a file. If `most` is set, a call
 * changes at most `most` payouts of the file, and the next call changes the remaining payouts.
 */
export async function movePayoutsTyped(
  of: { payoutId: string } | { batchId: string },
  move: PayoutMove,
  by: Actor = commandLine(),
  most?: number,
) {
  const found =
    'payoutId' in of ? await onlyOne(of.payoutId) : await store.payoutsIn(db(), of.batchId, 'exported', most)
  const done: ShownPayout[] = []
  for (const { id, tenant } of found.map((each) => ('id' in each ? each : { id: each.payout.id, tenant: each.tenant })))
    done.push(await movePayout(audited(tenant, by, { action: `payout.${move}`, subject: id }), id, move))
  return done
}

async function onlyOne(id: string) {
  const tenant = await store.tenantOfPayout(db(), id)
  if (!tenant) throw invalid('payout', 'There is no payout with this id.')
  return [{ id, tenant }]
}
