import type { Quote } from '../../modules/checkouts/page.ts'
import type * as rules from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import { quantitiesIn } from '../../modules/payment-links/rules/payment-link.ts'
import { db } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { prefilled } from './find-checkout.ts'
import { quoteAsked } from './load-quote.ts'
import { findLinkOf, offered } from './payment-link.ts'
import type { FoundCheckout } from './quote.ts'

/** Checks of tax IDs are counted per payment link, so that visitors of one link do not use up the checks of other forms. */
export async function choiceAtLink(
  { checkout, tenant, now }: FoundCheckout,
  form: Parameters<typeof taxInputOf>[0],
): Promise<rules.BuyerChoice> {
  const input = taxInputOf(form, await ratesFor(db(), tenant, now))
  return withTaxFacts(tenant, input, { checkoutId: null, customerId: null }, checkout.paymentLinkId)
}

export async function quoteLink(code: string, query: URLSearchParams, visitor: Visitor): Promise<Quote | null> {
  const found = await findLinkOf(code)
  if (found?.state !== 'open') return null
  const offer = offered(found, quantitiesIn(found.link.items, query).quantities)
  return quoteAsked(offer, await prefilled(offer, visitor), query, choiceAtLink)
}
