/**
 * Maximum numbers of concurrent delivery attempts. The numbers are high, because a hanging attempt costs a connection
 * but no CPU.
 */
const most = { ofProcess: 1_024, ofStorefront: 128, ofStream: 32 }
/** A storefront or endpoint gets at most 1/`part` of the free slots, so that slots remain for other storefronts and endpoints. */
const part = 4

export interface Held {
  readonly ofStream: number
  readonly ofStorefront: number
  readonly ofProcess: number
}

/**
 * The number of additional slots that a stream may take, limited so that the hanging receivers of one storefront can
 * never take all slots.
 */
export function roomFor({ ofStream, ofStorefront, ofProcess }: Held): number {
  const storefront = share(most.ofProcess - (ofProcess - ofStorefront), most.ofStorefront)
  const stream = share(storefront - (ofStorefront - ofStream), most.ofStream)
  return Math.max(0, stream - ofStream)
}

function share(left: number, most: number): number {
  return left <= 0 ? 0 : Math.min(most, Math.max(1, Math.floor(left / part)))
}
