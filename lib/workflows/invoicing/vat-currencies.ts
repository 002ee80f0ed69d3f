import { newestRates } from '../../modules/exchange/rates.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { vatCurrenciesOf } from '../../modules/tax/rules/index.ts'
import { allRegistrations } from '../../modules/tax/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Returns, by order id, the currencies in which the law requires the VAT amount, with the newest exchange rates (Directive 2006/112/EC, art. 91(2)). */
export async function vatStatedIn(
  { sql, now, ...tenant }: Tenant & { readonly sql: Sql; readonly now: Date },
  orders: readonly Order[],
): Promise<ReadonlyMap<string, NonNullable<Order['vatStatedIn']>>> {
  const registrations = await allRegistrations(sql)
  const asked = orders.map((order) => ({
    id: order.id,
    currencies: vatCurrenciesOf(asDocument(order, now), registrations),
  }))
  if (asked.every(({ currencies }) => currencies.length === 0)) return new Map(asked.map(({ id }) => [id, []]))
  const rates = await newestRates(sql, tenant, now)
  return new Map(
    asked.map(({ id, currencies }) => [id, currencies.map((currency) => ({ currency, ...rates[currency] }))]),
  )
}

const asDocument = ({ testmode, seller, customerDetails, currency, taxSummary }: Order, now: Date) => ({
  day: now.toISOString().slice(0, 10),
  soldOn: null,
  sellerCountry: seller.country,
  buyerCountry: customerDetails.country ?? '',
  postalCode: testmode ? null : customerDetails.postalCode,
  taxId: customerDetails.taxId,
  currency,
  taxes: taxSummary,
})
