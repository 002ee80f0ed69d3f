/** The accounts of the ledger. Each storefront has these accounts in each mode and currency. */
export const accounts = [
  'provider_clearing',
  'merchant_balance',
  'tax_payable',
  'platform_fee',
  'refunds',
  'chargebacks',
  'provider_fees',
  'payouts',
] as const
export type Account = (typeof accounts)[number]

/** A positive amount is a debit: the service owns or is owed more. A negative amount is a credit: the service owes more. */
export interface Entry {
  readonly account: Account
  /** `amount` is in minor units. */
  readonly amount: bigint
}

/** Amounts are in minor units. An amount of zero gives no entry. Throws unless the amounts sum to zero. */
export function entries(moved: Partial<Record<Account, bigint>>): Entry[] {
  const all = accounts.map((account) => ({ account, amount: moved[account] ?? 0n }))
  if (all.reduce((total, { amount }) => total + amount, 0n) !== 0n) throw new Error('a posting does not sum to zero')
  return all.filter(({ amount }) => amount !== 0n)
}
