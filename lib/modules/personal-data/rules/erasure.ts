import { erasedDomain } from '../../../kernel/email.ts'
import { chargebackStates } from '../../chargebacks/rules/state.ts'
import { checkoutStates } from '../../checkouts/rules/state.ts'
import { emailStatuses } from '../../emails/rules/email.ts'
import { orderStates } from '../../orders/rules/order.ts'
import { refundStates } from '../../refunds/rules/state.ts'
import { subscriptionStates } from '../../subscriptions/rules/state.ts'

/** What may prevent the erasure of a person's data in a storefront. */
export interface Dealings {
  readonly subscriptions: readonly Thing[]
  readonly checkouts: readonly Thing[]
  readonly orders: readonly Thing[]
  readonly refunds: readonly Thing[]
  readonly chargebacks: readonly Thing[]
  readonly emails: readonly Thing[]
}

interface Thing {
  readonly id: string
  readonly status: string
}

const finalStates = <State extends string>(machine: {
  readonly states: readonly State[]
  isFinal(state: State): boolean
}): readonly string[] => machine.states.filter((state) => machine.isFinal(state))

/** A declined checkout is not over: its buyer may still pay. */
const over: { readonly [Kind in keyof Dealings]: readonly string[] } = {
  subscriptions: finalStates(subscriptionStates),
  checkouts: finalStates(checkoutStates),
  // A paid order opens again only if the bank returns the debit: an erasure does not wait for that.
  orders: [...finalStates(orderStates), 'paid'],
  refunds: finalStates(refundStates),
  chargebacks: finalStates(chargebackStates),
  emails: emailStatuses.filter((status) => status !== 'queued'),
}

/** Id and status of what must end first: contracts and open payments need the data (GDPR, art. 17(3)). */
export const obstacles = (dealings: Dealings): string[] =>
  (Object.keys(over) as (keyof Dealings)[]).flatMap((kind) =>
    dealings[kind].filter(({ status }) => !over[kind].includes(status)).map(({ id, status }) => `${id} is ${status}.`),
  )

/** Whole calendar years after the year of issue (Directive 2006/112/EC, art. 369(2): ten). */
export const retainedUntil = (issuedAt: Date, years: number): Date =>
  new Date(Date.UTC(issuedAt.getUTCFullYear() + years + 1, 0, 1))

/** The beginning of the oldest calendar year whose documents still name their buyers. */
export const retainedSince = (now: Date, years: number): Date => new Date(Date.UTC(now.getUTCFullYear() - years, 0, 1))

export const countryOnly = <Address extends object>(address: Address): Address =>
  Object.fromEntries(Object.entries(address).map(([key, each]) => [key, key === 'country' ? each : null])) as Address

/** Unique, and no other customer can be given this address. */
export const addressOfErased = (customerId: string): string => `${customerId.toLowerCase()}@${erasedDomain}`

/** The masked account number of an erased customer's mandate. */
export const erasedAccount = '****'

/**
 * The JSON of an event or a stored response without the person: addresses keep the country, payment methods lose their
 * digits, feedback its comment, and a portal session its return URL. A customer looks erased.
 */
export const withoutPerson = (json: string): string =>
  JSON.stringify(JSON.parse(json), (_key, value) => {
    if (typeof value !== 'object' || value === null) return value
    if ('streetAndNumber' in value) return countryOnly(value)
    if ('maskedIdentifier' in value) return { ...value, maskedIdentifier: erasedAccount }
    if ('returnUrl' in value) return { ...value, returnUrl: null }
    if (value.cancellationFeedback?.comment)
      return { ...value, cancellationFeedback: { ...value.cancellationFeedback, comment: null } }
    if (value.resource === 'customer') return { ...value, email: addressOfErased(value.id), name: null, metadata: null }
    return value
  })
