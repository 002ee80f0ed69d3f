import { events } from './events.ts'
import { lives } from './lives.ts'
import { moneyBack } from './money-back.ts'
import type { Plants } from './plant.ts'
import { sales } from './sales.ts'
import { scopes } from './scopes.ts'
import { work } from './work.ts'

/** A violation, or several, of every invariant. */
export const plants: Plants = { ...sales, ...moneyBack, ...lives, ...events, ...scopes, ...work }
