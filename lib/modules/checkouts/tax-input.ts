import type { Amount } from '../../kernel/money.ts'
import { type Currency, formatMoney } from '../../kernel/money.ts'
import { config } from '../../platform/config.ts'
import type { BuyerForm } from './page.ts'
import type * as rules from './rules/index.ts'

/** The tax and currency input of a form. */
export const taxInputOf = ({
  country,
  taxId,
  currency = 'EUR',
}: Pick<BuyerForm, 'country' | 'taxId'> & { currency?: string }): rules.BuyerChoice => ({
  country,
  taxId: taxId || null,
  currency,
  sellerCountry: config().seller.country,
})

/** Minor units as a page shows them. */
export const amount = (minor: bigint, currency: Currency): Amount => ({
  value: formatMoney({ minor, currency }),
  currency,
})
