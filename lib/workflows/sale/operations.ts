import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { type FieldErrors, Refusal } from '../../kernel/refusal.ts'
import { requireSelling } from '../../modules/accounts/require-selling.ts'
import * as catalog from '../../modules/catalog/store.ts'
import type { CheckoutPreviewShape, previewCheckout } from '../../modules/checkouts/contract.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import { wireQuote } from '../../modules/orders/resource.ts'
import { currenciesFor, type ExchangeRates } from '../../modules/orders/rules/exchange.ts'
import { canonicalTaxId, taxFor } from '../../modules/tax/rules/index.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { WellFormed } from '../../platform/http/validate.ts'
import { translator } from '../../platform/translate.ts'
import { knownFacts } from '../tax-ids/known-facts.ts'

type Body = z.infer<typeof previewCheckout.body & object>

/** Refuses with `storefront_suspended`. Refuses with `validation_failed`, which lists all invalid fields. */
export async function preview(tenant: Tenant, body: Body): Promise<z.infer<typeof CheckoutPreviewShape>> {
  await requireSelling(db(), tenant)
  const { now, rates, products, problems } = await checked(tenant, body)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  const sold: rules.Sold = {
    testmode: tenant.testmode,
    taxBehavior: [...products.values()][0]?.taxBehavior ?? 'exclusive',
    lines: body.products.map((item, index) => rules.snapshot(`item ${index}`, item, products.get(item.id))),
  }
  const { currency, ...sale } = rules.quoteSale(sold, await choiceOf(tenant, body, rates), now)
  const lines = rules.soldLines(sale, (await translator('en'))('orderLines.verification'))
  return {
    currency,
    ...wireQuote({ ...sale.due, currency, lines }),
    recurring: sale.renewals.map(({ line, trialUntil, ...price }) => {
      const { lines: _, ...sums } = wireQuote({ ...price, currency, lines: [] })
      return {
        subscriptionPlanId: line.productId,
        quantity: line.quantity,
        interval: line.billingInterval?.interval ?? 'month',
        intervalCount: line.billingInterval?.intervalCount ?? 1,
        firstChargeAt: toWire(trialUntil ?? now),
        ...sums,
      }
    }),
  }
}

export const validateReferences = async (tenant: Tenant, body: WellFormed<Body>): Promise<FieldErrors> =>
  (await checked(tenant, body)).problems

async function checked(tenant: Tenant, body: WellFormed<Body>) {
  const now = await clockNow(db(), tenant)
  const items = body.products ?? []
  const ids = items.flatMap(({ id }) => id ?? [])
  const [rates, products] = await Promise.all([ratesFor(db(), tenant, now), catalog.findProducts(db(), tenant, ids)])
  return {
    now,
    rates,
    products,
    problems: { ...rules.itemProblems(items, products), ...buyerProblems(tenant, body, rates) },
  }
}

function buyerProblems(
  tenant: Tenant,
  { country, taxId, currency }: WellFormed<Body>,
  rates: ExchangeRates,
): Record<string, string[]> {
  if (country === undefined) return {}
  const tax = taxFor(tenant)
  const offered = currenciesFor(country, rates)
  const isWrong = tax.taxIdValidity(taxId ?? null, country) === 'not_accepted'
  const example = isWrong && tax.taxIdExample(taxId ?? null, country)
  // Greek VAT IDs have the prefix EL. Live mode accepts this prefix, but test mode refuses it by contract.
  const isRightLive = isWrong && taxFor({ testmode: false }).taxIdValidity(taxId ?? null, country) === 'accepted'
  const onlyLive = isRightLive ? ` Live mode accepts this tax ID. In test mode, a tax ID begins with ${country}.` : ''
  return {
    ...(isWrong && {
      taxId: [`Must be a tax ID of ${country}${example ? `, such as ${example}` : ''}.${onlyLive}`],
    }),
    ...(currency &&
      !offered.includes(currency) && {
        currency: [`Buyers in ${country} are not offered ${currency}. Offered: ${offered.join(', ')}.`],
      }),
  }
}

/** A tax ID in the right format counts as confirmed, unless the registry reported it as invalid within the last 24 hours. */
async function choiceOf(tenant: Tenant, body: Body, rates: ExchangeRates): Promise<rules.BuyerChoice> {
  const { country, taxId, currency, postalCode } = body
  const input = taxInputOf(
    { country, taxId: taxId ?? '', postalCode: postalCode ?? '', currency: currency ?? 'EUR' },
    rates,
  )
  const known = await knownFacts(db(), tenant, input)
  if (!known.facts || !known.taxId) return known
  const id = canonicalTaxId(known.taxId)
  const { taxIdResults } = known.facts
  const result = taxIdResults[id] === 'invalid' ? 'invalid' : 'valid'
  return { ...known, facts: { ...known.facts, taxIdResults: { ...taxIdResults, [id]: result } } }
}
