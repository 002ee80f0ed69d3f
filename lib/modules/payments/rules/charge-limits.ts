/** What a provider collects in one charge on a mandate, in minor units. */
export interface ChargeLimits {
  readonly least: bigint
  /** Null for no limit. */
  readonly most: bigint | null
}

export const noLimits: ChargeLimits = { least: 0n, most: null }

/** Which limit a charge breaks; null if it can be collected. Nothing is collected for a charge over nothing. */
export function brokenLimit(total: bigint, { least, most }: ChargeLimits): 'least' | 'most' | null {
  if (total <= 0n) return null
  if (total < least) return 'least'
  return most !== null && total > most ? 'most' : null
}
