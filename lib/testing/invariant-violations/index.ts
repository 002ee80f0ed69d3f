import { events } from './events.ts'
import { figures } from './figures.ts'
import { moneyBack } from './money-back.ts'
import { sales } from './sales.ts'
import { scopes } from './scopes.ts'
import type { ViolationFixtures } from './statements.ts'
import { subscriptions } from './subscriptions.ts'
import { work } from './work.ts'

export const violationFixtures: ViolationFixtures = {
  ...sales,
  ...moneyBack,
  ...subscriptions,
  ...events,
  ...scopes,
  ...work,
  ...figures,
}
