import { config } from '../../platform/config.ts'
import type { BuyerForm } from './page.ts'
import type * as rules from './rules/index.ts'

/** The tax and currency input of a form. */
export const taxInputOf = ({
  country,
  taxId,
  currency = 'EUR',
  postalCode = '',
}: Pick<BuyerForm, 'country' | 'taxId'> & { currency?: string; postalCode?: string }): rules.BuyerChoice => ({
  country,
  taxId: taxId || null,
  currency,
  postalCode: postalCode || null,
  sellerCountry: config().seller.country,
})
