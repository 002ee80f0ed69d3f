/** Amounts are in minor units. */
export interface ChargeLimits {
  readonly least: bigint
  readonly most: bigint | null
}

export const noLimits: ChargeLimits = { least: 0n, most: null }

/** Returns the limit that an amount violates. An amount of 0.00 or less is not collected, so it violates no limit. */
export function brokenLimit(total: bigint, { least, most }: ChargeLimits): 'least' | 'most' | null {
  if (total <= 0n) return null
  if (total < least) return 'least'
  return most !== null && total > most ? 'most' : null
}
