import { events } from './events.ts'
import { figures } from './figures.ts'
import { ledger } from './ledger.ts'
import { moneyBack } from './money-back.ts'
import { orders } from './orders.ts'
import { owed } from './owed.ts'
import { payments } from './payments.ts'
import { type InvariantId, invariantIds, type Queries } from './query.ts'
import { sales } from './sales.ts'
import { scopes } from './scopes.ts'
import { subscriptions } from './subscriptions.ts'
import { webhooks } from './webhooks.ts'
import { work } from './work.ts'

export interface Invariant {
  readonly of: InvariantId
  readonly name: string
  readonly query: string
}

const subjects: readonly Queries[] = [
  orders,
  moneyBack,
  payments,
  sales,
  subscriptions,
  owed,
  events,
  webhooks,
  scopes,
  ledger,
  work,
  figures,
]

export const invariants: readonly Invariant[] = invariantIds.flatMap((of) =>
  subjects.flatMap((queries) => Object.entries(queries[of] ?? {}).map(([name, query]) => ({ of, name, query }))),
)
