/** A gapless series of numbers: its owner and its name. */
export interface Series {
  /** The seller's one series in live mode; a storefront's own in test mode. */
  readonly scope: string
  readonly name: string
}

interface Owner {
  readonly storefrontId: string
  readonly testmode: boolean
}

/** The series of sales of the UTC year of a payment (on the storefront's clock in test mode). */
export const salesSeries = (owner: Owner, paidAt: Date): Series => series('INV', owner, paidAt)

/** The series of credit notes, by the year in which the money was returned. */
export const creditNoteSeries = (owner: Owner, creditedAt: Date): Series => series('CN', owner, creditedAt)

function series(kind: 'INV' | 'CN', { storefrontId, testmode }: Owner, at: Date): Series {
  const name = `${kind}-${at.getUTCFullYear()}`
  return testmode ? { scope: storefrontId, name: `TEST-${name}` } : { scope: 'live', name }
}

/** `INV-2026-000001`: at least six digits. */
export const invoiceNumber = ({ name }: Series, n: bigint): string => `${name}-${String(n).padStart(6, '0')}`
