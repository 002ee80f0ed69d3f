import { readTimeZone } from '../../kernel/time-zone.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import type { BuyerForm, Quote } from '../../modules/checkouts/page.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { takesPayments } from '../../providers/index.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { findCheckoutOf, prefilled } from './find-checkout.ts'
import type { FoundCheckout } from './quote.ts'
import { quoteFor } from './quote.ts'

export async function quote(token: string, query: URLSearchParams, visitor: Visitor): Promise<Quote | null> {
  const found = await findCheckoutOf(token)
  if (!found || !(await takesPayments(found.tenant)) || !rules.isOpen(found.checkout, found.now)) return null
  if ((await sellingOf(db(), found.tenant)).isSuspended) return null
  const form = found.checkout.draft?.form ?? (await prefilled(found, visitor))
  return quoteAsked(found, form, query, choiceOf)
}

export async function quoteAsked(
  found: FoundCheckout,
  form: BuyerForm,
  query: URLSearchParams,
  choiceOf: (found: FoundCheckout, form: BuyerForm) => Promise<rules.BuyerChoice>,
): Promise<Quote> {
  const { country, taxId, currency } = rules.readForm(query)
  const postalCode = query.get('postalCode') ?? form.postalCode
  const asked = { ...form, postalCode, taxId, currency, country: query.has('country') ? country : form.country }
  const timeZone = readTimeZone(query.get('timeZone'))
  return quoteFor(found, await choiceOf(found, asked), { chosen: asked.paymentMethod, timeZone })
}

export async function choiceOf({ checkout, tenant, now }: FoundCheckout, form: BuyerForm): Promise<rules.BuyerChoice> {
  return withTaxFacts(tenant, taxInputOf(form, await ratesFor(db(), tenant, now)), {
    checkoutId: checkout.id,
    customerId: checkout.customerId,
  })
}
