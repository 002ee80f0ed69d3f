/** In minor units. */
export interface ChargeLimits {
  readonly least: bigint
  /** Null for no limit. */
  readonly most: bigint | null
}

export const noLimits: ChargeLimits = { least: 0n, most: null }

/** Null if the charge can be collected. A charge of 0.00 needs no collection. */
export function brokenLimit(total: bigint, { least, most }: ChargeLimits): 'least' | 'most' | null {
  if (total <= 0n) return null
  if (total < least) return 'least'
  return most !== null && total > most ? 'most' : null
}
