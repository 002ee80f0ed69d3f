import { type BuyerForm, buyerFields } from '../../modules/checkouts/page.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { countryOfVisitor } from '../../platform/http/visitor-country.ts'
import type { FoundCheckout } from './quote.ts'

export async function findCheckoutOf(token: string): Promise<FoundCheckout | null> {
  const id = openLinkToken('checkout', 'checkout_', token)
  const found = id && (await store.findCheckoutAnywhere(db(), id))
  return found ? { ...found, now: await clockNow(db(), found.tenant) } : null
}

/**
 * Takes the country from the shop, the visitor's IP address, or the browser. The country is empty if none of these
 * sources states it.
 */
export async function prefilled({ checkout, tenant }: FoundCheckout, visitor: Visitor): Promise<BuyerForm> {
  const customer = checkout.customerId === null ? null : await findCustomer(db(), tenant, checkout.customerId)
  const given: Record<string, string | null | undefined> = { ...checkout.billingAddress, email: customer?.email }
  const form = Object.fromEntries(buyerFields.map((field) => [field, given[field] ?? ''])) as BuyerForm
  const country =
    form.country || ((await countryOfVisitor(visitor.header)) ?? rules.defaultCountry(visitor.acceptLanguage))
  return { ...form, country, currency: 'EUR' }
}
