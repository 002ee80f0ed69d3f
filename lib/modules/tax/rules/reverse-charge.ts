import type { TaxRate } from './rates.ts'

/** In a reverse charge, the buyer owes the tax, and the invoice states this (Directive 2006/112/EC, art. 196 and 226 (11a)). */
export const reverseCharge: TaxRate = { name: 'Reverse charge', percentage: '0' }

export const isReverseCharge = (taxes: readonly { readonly rate: TaxRate }[]): boolean =>
  taxes.some(({ rate }) => rate.name === reverseCharge.name)
