/** Maximum number of concurrent attempts. A hanging attempt costs a connection but no CPU. */
const most = { ofProcess: 1_024, ofStorefront: 128, ofStream: 32 }
/** A storefront or stream gets at most 1/`part` of the free places, so that places remain for the next one. */
const part = 4

/** The places held by a stream, by all streams of its storefront, and by all storefronts. */
export interface Held {
  readonly ofStream: number
  readonly ofStorefront: number
  readonly ofProcess: number
}

/**
 * How many more places a stream may take. A storefront with hanging receivers leaves places to other storefronts, and a
 * hanging receiver leaves places to the other receivers of its storefront.
 */
export function roomFor({ ofStream, ofStorefront, ofProcess }: Held): number {
  const storefront = share(most.ofProcess - (ofProcess - ofStorefront), most.ofStorefront)
  const stream = share(storefront - (ofStorefront - ofStream), most.ofStream)
  return Math.max(0, stream - ofStream)
}

function share(left: number, most: number): number {
  return left <= 0 ? 0 : Math.min(most, Math.max(1, Math.floor(left / part)))
}
