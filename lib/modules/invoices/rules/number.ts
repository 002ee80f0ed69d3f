export interface Series {
  /** In live mode, `scope` is `live`, because the seller has one series for all storefronts. In test mode, `scope` is the storefront's id. */
  readonly scope: string
  readonly name: string
}

interface Owner {
  readonly storefrontId: string
  readonly testmode: boolean
}

/** Returns the series of the year of payment in UTC. In test mode, this is the year on the storefront's test clock. */
export const salesSeries = (owner: Owner, paidAt: Date): Series => series('INV', owner, paidAt)

export const creditNoteSeries = (owner: Owner, creditedAt: Date): Series => series('CN', owner, creditedAt)

function series(kind: 'INV' | 'CN', { storefrontId, testmode }: Owner, at: Date): Series {
  const name = `${kind}-${at.getUTCFullYear()}`
  return testmode ? { scope: storefrontId, name: `TEST-${name}` } : { scope: 'live', name }
}

export const invoiceNumber = ({ name }: Series, n: bigint): string => `${name}-${String(n).padStart(6, '0')}`
