import { config } from '../../platform/config.ts'
import type { ExchangeRates } from '../orders/rules/exchange.ts'
import type { BuyerForm } from './page.ts'
import type * as rules from './rules/index.ts'

export const taxInputOf = (
  {
    country,
    taxId,
    currency = 'EUR',
    postalCode = '',
  }: Pick<BuyerForm, 'country' | 'taxId'> & { currency?: string; postalCode?: string },
  rates?: ExchangeRates,
): rules.BuyerChoice => ({
  country,
  taxId: taxId || null,
  currency,
  ...(rates && { rates }),
  postalCode: postalCode || null,
  sellerCountry: config().seller.country,
})
