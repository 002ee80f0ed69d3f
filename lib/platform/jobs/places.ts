/** A hanging attempt costs a connection but no CPU. */
const most = { ofProcess: 1_024, ofStorefront: 128, ofStream: 32 }
/** A storefront or stream gets at most 1/`part` of the free places, so that places remain for the next one. */
const part = 4

export interface Held {
  readonly ofStream: number
  readonly ofStorefront: number
  readonly ofProcess: number
}

/** A storefront with hanging receivers leaves places to others, as does a hanging receiver within its storefront. */
export function roomFor({ ofStream, ofStorefront, ofProcess }: Held): number {
  const storefront = share(most.ofProcess - (ofProcess - ofStorefront), most.ofStorefront)
  const stream = share(storefront - (ofStorefront - ofStream), most.ofStream)
  return Math.max(0, stream - ofStream)
}

function share(left: number, most: number): number {
  return left <= 0 ? 0 : Math.min(most, Math.max(1, Math.floor(left / part)))
}
