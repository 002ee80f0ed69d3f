import { config } from '../../platform/config.ts'
import type { BuyerForm } from './page.ts'
import type * as rules from './rules/index.ts'

/** The tax and currency input of a form. In live mode a tax ID changes nothing unless it was accepted. */
export const taxInputOf = (
  {
    country,
    postalCode = '',
    taxId,
    currency = 'EUR',
  }: Pick<BuyerForm, 'country' | 'taxId'> & { postalCode?: string; currency?: string },
  isTaxIdAccepted: boolean,
  registeredName: string | null = null,
): rules.BuyerChoice => ({
  country,
  postalCode: postalCode || null,
  taxId: taxId || null,
  isTaxIdAccepted,
  registeredName,
  currency,
  sellerCountry: config().seller.country,
})
