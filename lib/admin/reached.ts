import { realNow } from '../platform/clock/clock.ts'
import { shared } from '../platform/shared.ts'
import { thresholdsOfYear } from '../workflows/tax-returns/operations.ts'

/**
 * The lifetime of the cached sales in milliseconds. Ten minutes are short enough, because sales approach a threshold
 * within weeks.
 */
const freshForMs = 10 * 60_000

async function look(): Promise<string[]> {
  const period = String(realNow().getUTCFullYear())
  const { rows } = await thresholdsOfYear({ period, testmode: false, storefrontId: null })
  return rows.flatMap(({ country, standing }) => (standing === 'reached' ? country : []))
}

let shownNow = shared(freshForMs, look)

/** The countries whose tax threshold was reached this year and where the seller is not registered. `EU` stands for all member states except the seller's. */
export const reachedThresholds = (): Promise<string[]> => shownNow()

/** Clears the cached sales of this process, for example after a change of the tax registrations. The caches of other processes expire within ten minutes. */
export function lookAgain(): void {
  shownNow = shared(freshForMs, look)
}
