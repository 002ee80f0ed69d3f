import type { Currency } from '../../../kernel/money.ts'
import { computeTax, type TaxBehavior, type TaxedOrder, type TaxRate } from '../../tax/rules/index.ts'
import { convertFor, type ExchangeRate } from './exchange.ts'

/** A catalog item and its quantity, an integer from 1 to 999,999. Its price is in EUR cents. */
export interface CatalogueItem {
  readonly unitPrice: bigint
  readonly quantity: number
}

/**
 * Prices items for a buyer: converts each unit price to the buyer's currency at the day's rate, then computes the tax. Orders and
 * renewals of a single plan use this function too, so the displayed amount equals the charged amount.
 */
export function priceSale<Item extends CatalogueItem>(sale: {
  items: readonly Item[]
  currency: Currency
  /** Null in EUR. */
  exchangeRate: ExchangeRate | null
  behavior: TaxBehavior
  rates: readonly TaxRate[]
}): TaxedOrder<Item> & { readonly currency: Currency } {
  const { items, currency, exchangeRate, behavior, rates } = sale
  const lines = items.map((item) => ({ ...item, unitPrice: convertFor(exchangeRate, item.unitPrice) }))
  return { currency, ...computeTax({ behavior, rates, lines }) }
}
