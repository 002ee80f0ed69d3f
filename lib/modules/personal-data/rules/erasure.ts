import { erasedDomain } from '../../../kernel/email.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import { chargebackStates } from '../../chargebacks/rules/state.ts'
import { checkoutStates } from '../../checkouts/rules/state.ts'
import { emailStatuses } from '../../emails/rules/email.ts'
import { orderStates } from '../../orders/rules/order.ts'
import { refundStates } from '../../refunds/rules/state.ts'
import { subscriptionStates } from '../../subscriptions/rules/state.ts'

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

/** The statuses that do not prevent an erasure. A declined checkout can still be paid, so `failed` is not in the list. */
const over: { readonly [Kind in keyof Dealings]: readonly string[] } = {
  subscriptions: finalStates(subscriptionStates),
  checkouts: finalStates(checkoutStates),
  // A paid order can reopen if the bank returns the debit, but an erasure does not wait for this rare case.
  orders: [...finalStates(orderStates), 'paid'],
  refunds: finalStates(refundStates),
  chargebacks: finalStates(chargebackStates),
  emails: emailStatuses.filter((status) => status !== 'queued'),
}

export interface Obstacle extends Thing {
  readonly kind: keyof Dealings
}

/** Returns each contract or payment that still needs the data, and must therefore end before the erasure (GDPR, art. 17(3)). */
export const obstaclesIn = (dealings: Dealings): Obstacle[] =>
  (Object.keys(over) as (keyof Dealings)[]).flatMap((kind) =>
    dealings[kind].filter(({ status }) => !over[kind].includes(status)).map(({ id, status }) => ({ kind, id, status })),
  )

const mostNamed = 10

/**
 * Returns why a customer cannot be erased, naming at most ten obstacles. Returns null if the customer can be erased.
 */
export function erasureProblem(dealings: Dealings): RuleProblem | null {
  const named = obstaclesIn(dealings).slice(0, mostNamed)
  if (named.length === 0) return null
  const sentences = named.map(({ id, status }) => `${id} is ${status}.`)
  const ids = named.map(({ id }) => id).join(', ')
  return ruleProblem('erasure_blocked', { ids }, `Cannot be erased until these end: ${sentences.join(' ')}`)
}

/**
 * Returns the end of the retention of a document. Documents are retained for whole calendar years after the year of issue (Directive 2006/112/EC, art.
 * 369(2): ten years).
 */
export const retainedUntil = (issuedAt: Date, years: number): Date =>
  new Date(Date.UTC(issuedAt.getUTCFullYear() + years + 1, 0, 1))

export const retainedSince = (now: Date, years: number): Date => new Date(Date.UTC(now.getUTCFullYear() - years, 0, 1))

export const countryOnly = <Address extends object>(address: Address): Address =>
  Object.fromEntries(Object.entries(address).map(([key, each]) => [key, key === 'country' ? each : null])) as Address

/** Returns a unique email address for an erased customer. No other customer can have this address. */
export const addressOfErased = (customerId: string): string => `${customerId.toLowerCase()}@${erasedDomain}`

export const erasedAccount = '****'

/**
 * Removes personal data from the JSON of an event or a stored response. An address keeps its country. A payment method loses its digits, feedback loses its
 * comment, and a portal session loses its return URL. A customer gets the values of an erased customer.
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
