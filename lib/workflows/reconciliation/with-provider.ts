import { moneyText } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { holdsOf } from '../../modules/accounts/store.ts'
import { type ComparedChargeback, chargebacksToCompare, receivedToCompare } from '../../modules/chargebacks/store.ts'
import {
  type ComparedPayment,
  paidToCompare,
  paymentsToCompare,
  returnsToCompare,
  storefrontsOfRefs,
} from '../../modules/payments/compare-store.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { Booked } from '../../modules/payments/provider-data.ts'
import {
  type BookedRefund,
  compareChargeback,
  comparePayment,
  compareRefund,
  type Difference,
  type Moved,
  missingChargeback,
  missingPayment,
  missingRefund,
  type OurChargeback,
  type OurPayment,
  type OurRefund,
  unknownStorefront,
} from '../../modules/reconciliations/rules/compare.ts'
import { type ComparedRefund, refundedToCompare, refundsToCompare } from '../../modules/refunds/store.ts'
import { db } from '../../platform/db/db.ts'
import { withUsedPayments } from './used-payments.ts'

export interface Compared {
  readonly payments: number
  readonly refunds: number
  readonly chargebacks: number
  readonly differences: readonly Difference[]
}

interface Span {
  readonly since: Date
  /** The end of the compared time. The provider's responses may lack changes that were made later. */
  readonly until: Date
}

/** Matches the idempotency key of a refund that returns a late payment (`collection/return-money.ts`). */
const returnOf = /-return$/

/** No transaction is open during requests to the provider. */
export async function compareWith(provider: PaymentProvider, span: Span): Promise<Compared> {
  const found = { payments: new Set<string>(), refunds: new Set<string>(), chargebacks: new Set<string>() }
  const differences: Difference[] = []
  const unknown: UnknownStorefronts = new Map()
  for await (const booked of provider.booked?.(span.since) ?? []) {
    const part = await withUsedPayments(booked)
    differences.push(...(await differencesIn(part, span, unknown)))
    for (const { paymentId } of part.payments) if (paymentId !== null) found.payments.add(paymentId)
    for (const { refundId } of part.refunds) if (refundId !== null) found.refunds.add(refundId)
    for (const { ref, paymentRef } of part.chargebacks) if (paymentRef !== null) found.chargebacks.add(ref)
  }
  const { payments, refunds, chargebacks } = found
  const isOnItsWayBack = ({ kind, id }: Difference) => kind === 'payment_not_posted' && refunds.has(`${id}-return`)
  return {
    payments: payments.size,
    refunds: refunds.size,
    chargebacks: chargebacks.size,
    differences: [
      ...differences.filter((each) => !isOnItsWayBack(each)),
      ...[...unknown].map(([id, moved]) => unknownStorefront(id, moved)),
      ...(await missing(provider, span, found)),
    ],
  }
}

export type UnknownStorefronts = Map<string, Moved>

/**
 * Compares a part of the provider's records with our books. Excludes storefronts that another installation compares.
 * Adds payments and refunds of unknown storefronts to `unknown`.
 */
export async function differencesIn(
  part: Booked,
  { until }: Pick<Span, 'until'>,
  unknown: UnknownStorefronts,
): Promise<Difference[]> {
  const { payments, refunds, chargebacks, known } = await ofStorefrontsHere(part, unknown)
  const keys = refunds.flatMap(({ refundId }) => refundId ?? [])
  const lateIds = keys.filter((key) => returnOf.test(key)).map((key) => key.replace(returnOf, ''))
  const ids = [...payments.flatMap(({ paymentId }) => paymentId ?? []), ...lateIds]
  const ourPayments = byId(await paymentsToCompare(db(), ids))
  const ourRefunds = byId(await refundsToCompare(db(), keys))
  const refs = chargebacks.map(({ ref }) => ref)
  const returned = (await returnsToCompare(db(), refs)).map(returnedDebit)
  const disputed = (await chargebacksToCompare(db(), refs)).map(ourChargeback)
  const ourChargebacks = new Map([...disputed, ...returned].map((each) => [each.ref, each]))
  const refundOf = ({ refundId }: BookedRefund): OurRefund | null => {
    const refund = ourRefunds.get(refundId ?? '')
    if (refund) return ourRefund(refund, until)
    const late = returnOf.test(refundId ?? '') && ourPayments.get(refundId?.replace(returnOf, '') ?? '')
    return late ? returnedPayment(late) : null
  }
  return [
    ...payments.map((each) => {
      const ours = ourPayments.get(each.paymentId ?? '')
      return comparePayment(each, ours ? ourPayment(ours, until) : null)
    }),
    ...refunds.map((each) =>
      compareRefund(each, refundOf(each), each.refundId !== null || known.has(each.paymentRef ?? '')),
    ),
    ...chargebacks.map((each) =>
      compareChargeback(each, ourChargebacks.get(each.ref) ?? null, known.has(each.paymentRef ?? '')),
    ),
  ].filter((each) => each !== null)
}

/**
 * Excludes storefronts on hold: they have moved to another installation that shares the account and compares their payments. Also excludes unknown
 * storefronts, and counts their payments and refunds in `unknown`. An unknown storefront may exist in another installation, or may be missing after the
 * restore of an older backup. In the result, `known` maps the references of our payments to their storefronts.
 */
async function ofStorefrontsHere({ payments, refunds, chargebacks }: Booked, unknown: UnknownStorefronts) {
  const refs = [...refunds, ...chargebacks].flatMap(({ paymentRef }) => paymentRef ?? [])
  const known = await storefrontsOfRefs(db(), refs)
  const named = [...payments, ...refunds].flatMap(({ storefrontId }) => storefrontId ?? [])
  const holds = await holdsOf(db(), [...named, ...known.values()])
  const isHere = (storefrontId: string | null | undefined) => !storefrontId || holds.get(storefrontId) === false
  const ofPayment = ({ paymentRef }: { paymentRef: string | null }) => known.get(paymentRef ?? '')
  const storefrontOf = (each: BookedRefund) => each.storefrontId ?? ofPayment(each)
  for (const { storefrontId, isPaid } of payments) if (isPaid) countUnknown(storefrontId, 'payments')
  for (const each of refunds) if (!each.hasFailed) countUnknown(storefrontOf(each), 'refunds')
  return {
    known,
    payments: payments.filter(({ storefrontId }) => isHere(storefrontId)),
    refunds: refunds.filter((each) => isHere(storefrontOf(each))),
    chargebacks: chargebacks.filter((each) => isHere(ofPayment(each))),
  }

  function countUnknown(id: string | null | undefined, what: keyof Moved): void {
    if (!id || holds.has(id)) return
    const before = unknown.get(id) ?? { payments: 0, refunds: 0 }
    unknown.set(id, { ...before, [what]: before[what] + 1 })
  }
}

async function missing(
  provider: PaymentProvider,
  { since, until }: Span,
  found: Readonly<Record<'payments' | 'refunds' | 'chargebacks', ReadonlySet<string>>>,
): Promise<Difference[]> {
  const { name } = provider
  const differences: Difference[] = []
  for await (const ours of everyPage((after) => paidToCompare(db(), name, { since, until, after })))
    if (!found.payments.has(ours.id)) differences.push(missingPayment(ourPayment(ours, until)))
  for await (const ours of everyPage((after) => refundedToCompare(db(), name, { since, until, after })))
    if (!found.refunds.has(ours.id)) differences.push(missingRefund(ourRefund(ours, until)))
  // The comparison skips chargebacks that we received in the first two days after `since`, because the provider may
  // have booked them before `since`. `isThere` asks the provider about each missing chargeback, because a chargeback
  // that began as an inquiry may have been booked much earlier.
  const received = new Date(since.getTime() + 2 * 86_400_000)
  for await (const ours of everyPage((after) => receivedToCompare(db(), name, { since: received, until, after })))
    if (!found.chargebacks.has(ours.ref) && !(await isThere(provider, ours)))
      differences.push(missingChargeback(ourChargeback(ours)))
  return differences
}

async function isThere(provider: PaymentProvider, { tenant, ref }: ComparedChargeback): Promise<boolean> {
  return provider.fetchChargeback(tenant, ref).then(
    () => true,
    (error) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
}

export async function* everyPage<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Row[] = await read(after)
    yield* page
    after = page.at(-1)?.id
  }
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))
const isOlder = (finishedAt: Date | null, until: Date) => finishedAt !== null && finishedAt <= until

export const ourPayment = (
  { id, ref, amount, status, isReturned, finishedAt }: ComparedPayment,
  until: Date,
): OurPayment => ({
  id,
  ref,
  amount: moneyText(amount),
  status: status === 'paid' ? 'paid' : 'unpaid',
  isReturned,
  isSettled: isOlder(finishedAt, until),
})

const sent: Readonly<Partial<Record<ComparedRefund['status'], OurRefund['status']>>> = {
  processing: 'sent',
  refunded: 'refunded',
}
const ourRefund = ({ id, amount, status, finishedAt }: ComparedRefund, until: Date): OurRefund => ({
  id,
  amount: moneyText(amount),
  status: sent[status] ?? 'unsent',
  isSettled: isOlder(finishedAt, until),
})

const statuses: Readonly<Record<ComparedChargeback['status'], OurChargeback['status']>> = {
  pending: 'open',
  evidence_submitted: 'open',
  requires_amount_review: 'open',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
  rejected: 'free',
}
const ourChargeback = ({ id, ref, amount, status }: ComparedChargeback): OurChargeback => ({
  id,
  ref,
  amount: moneyText(amount),
  status: statuses[status],
})

/** The provider books a returned debit as a chargeback that nobody can reverse. */
const returnedDebit = ({ id, ref, amount }: Pick<ComparedChargeback, 'id' | 'ref' | 'amount'>): OurChargeback => ({
  id,
  ref,
  amount: moneyText(amount),
  status: 'lost',
})

/** Returns the refund that we expect for a late payment, which is returned in full unless it pays its order. */
const returnedPayment = ({ id, amount, status }: ComparedPayment): OurRefund => ({
  id,
  amount: moneyText(amount),
  status: status === 'paid' ? 'unsent' : 'sent',
  isSettled: false,
})
