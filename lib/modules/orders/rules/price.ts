import type { Currency } from '../../../kernel/money.ts'
import { computeTax, type TaxBehavior, type TaxedOrder, type TaxRate } from '../../tax/rules/index.ts'
import { convertFor, type ExchangeRate } from './exchange.ts'

export interface CatalogueItem {
  readonly unitPrice: bigint
  readonly quantity: number
}

/**
 * Converts the prices of a sale from EUR to the currency of the sale, and computes the tax. A quote uses this function
 * for the amount due today and for the displayed renewals.
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
