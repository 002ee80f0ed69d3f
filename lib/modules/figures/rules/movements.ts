import type { Currency } from '../../../kernel/money.ts'
import { groupBy } from './group.ts'
import { type RecurringAmount, sumIn } from './recurring-amount.ts'

export interface AmountChange extends RecurringAmount {
  readonly subscriptionId: string
  readonly customerId: string
  readonly day: string
}

/** The changes of MRR and of the number of subscribers on a day, in one currency. Amounts are in minor units. */
export interface Movements {
  readonly new: bigint
  readonly expansion: bigint
  /** `contraction` and `churn` are positive amounts by which MRR fell. */
  readonly contraction: bigint
  readonly churn: bigint
  readonly reactivation: bigint
  readonly newSubscribers: number
  readonly churnedSubscribers: number
  readonly reactivatedSubscribers: number
  readonly plans: ReadonlyMap<string, bigint>
}

export const noMovements: Movements = {
  new: 0n,
  expansion: 0n,
  contraction: 0n,
  churn: 0n,
  reactivation: 0n,
  newSubscribers: 0,
  churnedSubscribers: 0,
  reactivatedSubscribers: 0,
  plans: new Map(),
}

export const netOf = (moved: Movements): bigint =>
  moved.new + moved.expansion - moved.contraction - moved.churn + moved.reactivation

export const moreSubscribers = (moved: Movements): number =>
  moved.newSubscribers - moved.churnedSubscribers + moved.reactivatedSubscribers

/**
 * A subscriber is a customer with MRR. A movement compares a customer's MRR at the ends of two days, so a cancellation
 * and a purchase on the same day are not churn. The first rise from zero is new, and a later rise from zero is
 * reactivation. A fall to zero is churn. Any other rise is expansion, and any other fall is contraction.
 */
function withCustomer(moved: Movements, before: bigint, after: bigint, wasSubscriber: boolean): Movements {
  if (before === 0n && after > 0n)
    return wasSubscriber
      ? {
          ...moved,
          reactivation: moved.reactivation + after,
          reactivatedSubscribers: moved.reactivatedSubscribers + 1,
        }
      : { ...moved, new: moved.new + after, newSubscribers: moved.newSubscribers + 1 }
  if (before > 0n && after === 0n)
    return { ...moved, churn: moved.churn + before, churnedSubscribers: moved.churnedSubscribers + 1 }
  return after > before
    ? { ...moved, expansion: moved.expansion + after - before }
    : { ...moved, contraction: moved.contraction + before - after }
}

export type MovementsByDay = ReadonlyMap<string, ReadonlyMap<Currency, Movements>>

/** `history` has all earlier changes of the customers in `changes`, sorted by day. `changes` has at most one change per subscription and day. */
export function movementsOf(history: readonly AmountChange[], changes: readonly AmountChange[]): MovementsByDay {
  const book = new CustomerBook()
  const inOrder = (all: readonly AmountChange[]) =>
    [...groupBy(all, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [, ofDay] of inOrder(history)) movementsOfDay(book, ofDay)
  return new Map(inOrder(changes).map(([day, ofDay]) => [day, movementsOfDay(book, ofDay)]))
}

function movementsOfDay(book: CustomerBook, changes: readonly AmountChange[]): ReadonlyMap<Currency, Movements> {
  const moved = new Map<Currency, Movements>()
  for (const [customerId, ofCustomer] of groupBy(changes, (each) => each.customerId)) {
    const before = [...book.amountsOf(customerId)]
    for (const change of ofCustomer) book.apply(change)
    const after = [...book.amountsOf(customerId)]
    for (const currency of new Set([...before, ...after].map((each) => each.currency))) {
      const sums = [sumIn(before, currency), sumIn(after, currency)] as const
      const earlier = moved.get(currency) ?? noMovements
      const withPlans = { ...earlier, plans: planChanges(earlier.plans, before, after, currency) }
      moved.set(currency, withCustomer(withPlans, ...sums, book.wasSubscriber(customerId, currency)))
    }
    book.noteSubscriber(customerId)
  }
  return moved
}

function planChanges(
  earlier: Movements['plans'],
  before: readonly RecurringAmount[],
  after: readonly RecurringAmount[],
  currency: Currency,
): Movements['plans'] {
  const plans = new Map(earlier)
  const add = (all: readonly RecurringAmount[], sign: bigint) => {
    for (const each of all.filter((one) => one.currency === currency))
      plans.set(each.planId, (plans.get(each.planId) ?? 0n) + sign * each.amount)
  }
  add(before, -1n)
  add(after, 1n)
  return plans
}

class CustomerBook {
  readonly #amounts = new Map<string, Map<string, RecurringAmount>>()
  readonly #subscribers = new Set<string>()

  amountsOf(customerId: string): Iterable<RecurringAmount> {
    return this.#amounts.get(customerId)?.values() ?? []
  }

  wasSubscriber(customerId: string, currency: Currency): boolean {
    return this.#subscribers.has(`${customerId} ${currency}`)
  }

  apply(change: AmountChange): void {
    const { customerId, subscriptionId } = change
    const own = this.#amounts.get(customerId) ?? new Map<string, RecurringAmount>()
    this.#amounts.set(customerId, own.set(subscriptionId, change))
  }

  noteSubscriber(customerId: string): void {
    for (const { currency, amount } of this.amountsOf(customerId))
      if (amount > 0n) this.#subscribers.add(`${customerId} ${currency}`)
  }
}
