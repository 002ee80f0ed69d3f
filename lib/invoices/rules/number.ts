/** A gapless series of numbers: whose, and its name. */
export interface Series {
  /** The seller's one series in live mode; a storefront's own in test mode. */
  readonly scope: string
  readonly name: string
}

/** The series of sales of the UTC year of a payment (on the storefront's clock in test mode). */
export function salesSeries(
  { storefrontId, testmode }: { storefrontId: string; testmode: boolean },
  paidAt: Date,
): Series {
  const name = `${testmode ? 'TEST-INV' : 'INV'}-${paidAt.getUTCFullYear()}`
  return { scope: testmode ? storefrontId : 'live', name }
}

/** `INV-2026-000001`: at least six digits. */
export const invoiceNumber = ({ name }: Series, n: bigint): string => `${name}-${String(n).padStart(6, '0')}`
