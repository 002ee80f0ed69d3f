/** A storefront's accounts, in each mode and currency. */
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

/** One side of a posting. Positive: we hold or are owed more (debit); negative: we owe more (credit). */
export interface Entry {
  readonly account: Account
  /** Minor units. */
  readonly amount: bigint
}

/** The entries of amounts by account, in minor units; zero makes no entry. Throws unless they sum to zero. */
export function entries(moved: Partial<Record<Account, bigint>>): Entry[] {
  const all = accounts.map((account) => ({ account, amount: moved[account] ?? 0n }))
  if (all.reduce((total, { amount }) => total + amount, 0n) !== 0n) throw new Error('a booking does not sum to zero')
  return all.filter(({ amount }) => amount !== 0n)
}
