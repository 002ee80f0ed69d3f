import type { Currency } from '../../../kernel/money.ts'
import { computeTax, type TaxBehavior, type TaxedOrder, type TaxRate } from '../../tax/rules/index.ts'
import { convertFor, type ExchangeRate } from './exchange.ts'

/** The quantity is an integer from 1 to 999,999. The price is in EUR cents. */
export interface CatalogueItem {
  readonly unitPrice: bigint
  readonly quantity: number
}

/**
 * Converts each unit price to the buyer's currency at the day's rate, then computes the tax. Sales and renewals share
 * this function, so the displayed amount equals the charged amount.
 */
export function priceSale<Item extends CatalogueItem>(sale: {
  items: readonly Item[]
  currency: Currency
  exchangeRate: ExchangeRate | null
  behavior: TaxBehavior
  rates: readonly TaxRate[]
}): TaxedOrder<Item> & { readonly currency: Currency } {
  const { items, currency, exchangeRate, behavior, rates } = sale
  const lines = items.map((item) => ({ ...item, unitPrice: convertFor(exchangeRate, item.unitPrice) }))
  return { currency, ...computeTax({ behavior, rates, lines }) }
}
