import type { TaxRate } from './rates.ts'
import type { TaxFacts } from './tax-facts.ts'

/** `rates` has at least one rate. Every rate applies to every line of an order. */
export interface TaxDecision {
  readonly reason: 'standard' | 'reverse_charge' | 'outside_scope'
  readonly rates: readonly TaxRate[]
}

export interface Sale {
  readonly buyerCountry: string
  readonly sellerCountry: string
  readonly taxId: string | null
  /** The postal code that the buyer entered, in live mode. It is needed because some parts of a country are taxed differently. */
  readonly postalCode?: string | null
  /** `facts` is absent in test mode. In live mode, absent facts mean that the seller has no registrations and no tax ID was checked. */
  readonly facts?: TaxFacts | undefined
  readonly on: Date
}

export type TaxIdValidity = 'none' | 'accepted' | 'not_accepted'

/**
 * `reverse_charge`: the buyer owes the tax. `domestic`: buyer and seller are in the same country, so tax applies. `not_confirmed`: the tax ID is not
 * confirmed, so tax applies.
 */
export type TaxIdEffect = 'none' | 'reverse_charge' | 'domestic' | 'not_confirmed'
