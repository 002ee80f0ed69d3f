import type { TaxRate } from './rates.ts'
import type { TaxFacts } from './tax-facts.ts'

/** Directive 2006/112/EC, art. 196 and 226 (11a): the buyer owes the tax, and the invoice states this. */
export const reverseCharge: TaxRate = { name: 'Reverse charge', percentage: '0' }

export const isReverseCharge = (taxes: readonly { readonly rate: TaxRate }[]): boolean =>
  taxes.some(({ rate }) => rate.name === reverseCharge.name)

/** At least one rate for every line of an order, and the reason. */
export interface TaxDecision {
  readonly reason: 'standard' | 'reverse_charge' | 'outside_scope'
  readonly rates: readonly TaxRate[]
}

export interface Sale {
  /** ISO 3166-1 alpha-2. */
  readonly buyerCountry: string
  readonly sellerCountry: string
  readonly taxId: string | null
  /** In live mode, as typed. Some parts of a country have other taxes. */
  readonly postalCode?: string | null
  /** In live mode. If absent, the seller has no registrations and no tax ID was checked. */
  readonly facts?: TaxFacts | undefined
  readonly on: Date
}

/** By the form of the buyer's country, without a query to a registry. */
export type TaxIdValidity = 'none' | 'accepted' | 'not_accepted'

/**
 * `reverse_charge`: the buyer accounts for the tax. `domestic`: the tax ID is accepted, but the buyer is in the
 * seller's country, so tax applies. `not_confirmed`: the tax ID is not confirmed, so tax applies.
 */
export type TaxIdEffect = 'none' | 'reverse_charge' | 'domestic' | 'not_confirmed'
