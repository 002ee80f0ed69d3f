import type { Money } from '../../../kernel/money.ts'

/** A payment that a live provider has and that the restored database lacks. */
export interface UnknownPayment {
  /** The provider's name. It includes the account id if the payment is at a storefront's own account. */
  readonly provider: string
  readonly ref: string
  readonly storefrontId: string
  /** The id that Billhook gave the payment before the restore. The provider stores this id as metadata of the payment. */
  readonly paymentId: string
  /** The provider's reference of the charged mandate. Null for a payment without a mandate. */
  readonly mandateRef: string | null
  readonly orderId: string | null
  readonly amount: Money
  readonly status: 'paid' | 'pending'
  readonly createdAt: Date
  /** Whether money of the payment was refunded or disputed at the provider, in part or in whole. No further charge can then use the payment. */
  readonly moneyReturned: boolean
  /** The id of the payment in the restored database that uses this unknown payment. Null if no payment uses it. */
  readonly usedBy: string | null
  /** When an operator stated that the payment is refunded or canceled. Null before this statement. */
  readonly releasedAt: Date | null
}

export interface WantedCharge {
  readonly paymentId: string
  readonly orderId: string
  readonly provider: string
  readonly mandateRef: string
  readonly amount: Money
}

/**
 * `use`: the charge uses `payment` instead of charging the customer. `waits`: the amounts differ, or money of `payment` was returned, so the charge waits until
 * an operator has released `payment`.
 */
export type Choice =
  | { readonly kind: 'use'; readonly payment: UnknownPayment }
  | { readonly kind: 'waits'; readonly payment: UnknownPayment; readonly why: WhyWaiting }

export type WhyWaiting = 'different amount' | 'money returned'

type Fits = (charge: WantedCharge, payment: UnknownPayment) => boolean

const isOwn: Fits = (charge, { usedBy }) => usedBy === charge.paymentId
const isFree = ({ usedBy, releasedAt }: UnknownPayment) => usedBy === null && releasedAt === null
const hasSameId: Fits = (charge, { paymentId }) => paymentId === charge.paymentId
const hasSameOrder: Fits = (charge, { orderId }) => orderId === charge.orderId
const hasSameMandate: Fits = (charge, { mandateRef }) => mandateRef === charge.mandateRef
export const hasAmount = (a: Money, b: Money): boolean => a.minor === b.minor && a.currency === b.currency
const hasSameAmount: Fits = (charge, payment) => hasAmount(charge.amount, payment.amount)

/**
 * The relations between a charge and a payment, strongest first: same payment id, same order, same mandate. A charge
 * therefore gets the payment that was made for it before another charge on the same mandate can use that payment.
 */
const reasons: readonly Fits[] = [hasSameId, hasSameOrder, hasSameMandate].map(
  (isRelated) => (charge, payment) => isFree(payment) && isRelated(charge, payment) && hasSameAmount(charge, payment),
)
const isInTheWay: Fits = (charge, payment) =>
  isFree(payment) && [hasSameId, hasSameOrder, hasSameMandate].some((isRelated) => isRelated(charge, payment))

/**
 * Decides for each charge whether it uses an unknown payment or waits. The result has the `paymentId` of each charge as
 * its key, and omits a charge that matches no unknown payment. `unknown` must contain only payments of the charges'
 * storefront, oldest first. No two charges use the same unknown payment. At most one charge waits for a payment because
 * the money of the payment was returned.
 */
export function chooseUnknown(
  charges: readonly WantedCharge[],
  unknown: readonly UnknownPayment[],
): ReadonlyMap<string, Choice> {
  const choices = new Map<string, Choice>()
  const taken = new Set<UnknownPayment>()
  const choose = (fits: Fits, choiceOf: (payment: UnknownPayment) => Choice) => {
    for (const charge of charges) {
      if (choices.has(charge.paymentId)) continue
      const payment = unknown.find(
        (each) => each.provider === charge.provider && !taken.has(each) && fits(charge, each),
      )
      if (!payment) continue
      const choice = choiceOf(payment)
      choices.set(charge.paymentId, choice)
      if (choice.kind === 'use' || choice.why === 'money returned') taken.add(payment)
    }
  }
  // The charge may have used the payment before the money of the payment was returned, so the charge keeps the payment.
  choose(isOwn, (payment) => ({ kind: 'use', payment }))
  for (const fits of reasons)
    choose(fits, (payment) =>
      payment.moneyReturned ? { kind: 'waits', payment, why: 'money returned' } : { kind: 'use', payment },
    )
  choose(isInTheWay, (payment) => ({ kind: 'waits', payment, why: 'different amount' }))
  return choices
}
