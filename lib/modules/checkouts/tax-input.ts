import { config } from '../../platform/config.ts'
import type { ExchangeRates } from '../orders/rules/exchange.ts'
import type { BuyerForm } from './page.ts'
import type * as rules from './rules/index.ts'

interface Known {
  /** What is known of the tax ID: in live mode it changes nothing unless it was accepted. */
  readonly isTaxIdAccepted?: boolean
  readonly registeredName?: string | null | undefined
  readonly rates: ExchangeRates
}

/** The tax and currency input of a form, with what is known about it. */
export const taxInputOf = (
  {
    country,
    postalCode = '',
    taxId,
    currency = 'EUR',
  }: Pick<BuyerForm, 'country' | 'taxId'> & { postalCode?: string; currency?: string },
  { isTaxIdAccepted = false, registeredName = null, rates }: Known,
): rules.BuyerChoice => ({
  country,
  postalCode: postalCode || null,
  taxId: taxId || null,
  isTaxIdAccepted,
  registeredName,
  rates,
  currency,
  sellerCountry: config().seller.country,
})
