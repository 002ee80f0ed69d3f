export interface Series {
  /** The seller's one series in live mode; a storefront's own in test mode. */
  readonly scope: string
  readonly name: string
}

interface Owner {
  readonly storefrontId: string
  readonly testmode: boolean
}

/** The UTC year of the payment, on the storefront's clock in test mode. */
export const salesSeries = (owner: Owner, paidAt: Date): Series => series('INV', owner, paidAt)

export const creditNoteSeries = (owner: Owner, creditedAt: Date): Series => series('CN', owner, creditedAt)

function series(kind: 'INV' | 'CN', { storefrontId, testmode }: Owner, at: Date): Series {
  const name = `${kind}-${at.getUTCFullYear()}`
  return testmode ? { scope: storefrontId, name: `TEST-${name}` } : { scope: 'live', name }
}

/** `INV-2026-000001`: at least six digits. */
export const invoiceNumber = ({ name }: Series, n: bigint): string => `${name}-${String(n).padStart(6, '0')}`
