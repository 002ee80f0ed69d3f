import { events } from './events.ts'
import { lives } from './lives.ts'
import { moneyBack } from './money-back.ts'
import type { ViolationFixtures } from './plant.ts'
import { sales } from './sales.ts'
import { scopes } from './scopes.ts'
import { work } from './work.ts'

/** One or several violations of every invariant. */
export const violationFixtures: ViolationFixtures = { ...sales, ...moneyBack, ...lives, ...events, ...scopes, ...work }
