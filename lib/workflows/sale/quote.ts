import { isCountry } from '../../kernel/countries.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { Quote } from '../../modules/checkouts/page.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import { builtInRates, currenciesFor } from '../../modules/orders/rules/exchange.ts'
import { withdrawalOf } from '../../modules/orders/rules/withdrawal.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { methodsFor } from '../../modules/payments/rules/offer.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { methodsOnOffer } from '../../providers/index.ts'

export interface FoundCheckout {
  readonly checkout: rules.Checkout
  readonly tenant: Tenant
  readonly now: Date
}

/** The quote contains no tax until a country is chosen. */
const saleFor = ({ checkout, now }: FoundCheckout, choice: rules.BuyerChoice) =>
  isCountry(choice.country) ? rules.quoteSale(checkout, choice, now) : rules.quoteBeforeTax(checkout, now)

export async function onOfferFor(found: FoundCheckout, choice: rules.BuyerChoice): Promise<readonly PaymentMethod[]> {
  const { currency, due, renewals } = saleFor(found, choice)
  return methodsOnOffer(found.tenant, {
    amount: { minor: due.total, currency },
    renewals: renewals.map(({ total }) => total),
    makesMandate: rules.sellsSubscription(found.checkout),
    country: isCountry(choice.country) ? choice.country : '',
  })
}

/** `chosen` is the payment method in the form. */
export async function quoteFor(
  found: FoundCheckout,
  choice: rules.BuyerChoice,
  { chosen, timeZone }: { chosen: string; timeZone: string | null },
): Promise<Quote> {
  const { checkout, tenant, now } = found
  const country = isCountry(choice.country) ? choice.country : null
  const sale = saleFor(found, choice)
  const details = rules.detailsQuote(tenant, choice)
  const { currency, due, renewals } = sale
  const asksForMethod = rules.asksForMethod(sale)
  const priced = new Map(due.lines.map((line) => [line.source?.id, line]))
  const inCurrency = (minor: bigint) => amount(minor, currency)
  const onOffer = await onOfferFor(found, choice)
  const methods = methodsFor({ country: choice.country, currency, chosen, onOffer })
  return {
    timeZone,
    prices: rules.pricesOf(sale),
    currency,
    currencies: [...currenciesFor(choice.country, choice.rates ?? builtInRates)],
    country,
    taxBehavior: checkout.taxBehavior,
    lines: checkout.lines.map((line) => {
      const unitPrice = priced.get(line.id)?.unitPrice ?? rules.unitPriceAt(line, sale.exchangeRate)
      return {
        name: line.name,
        description: line.description,
        quantity: line.quantity,
        unitPrice: inCurrency(unitPrice),
        amount: inCurrency(unitPrice * BigInt(line.quantity)),
        recurring: line.billingInterval,
        trialUntil: wire(rules.trialEnd(line, now)),
      }
    }),
    subtotal: inCurrency(due.subtotal),
    taxes: country
      ? due.taxSummary.map(({ rate, amount: tax }) => ({
          name: rate.name,
          percentage: Number(rate.percentage),
          amount: inCurrency(tax),
        }))
      : [],
    withdrawal: asksForMethod ? withdrawalOf(checkout.lines, { country: choice.country, taxId: details.taxId }) : null,
    reverseCharge: details.taxId === 'reverse_charge',
    ...details,
    total: inCurrency(due.total),
    methods,
    proposedMethod: country ? (methods[0] ?? null) : null,
    asksForMethod,
    renewals: renewals.map(({ line, total, trialUntil, nextChargeAt }) => ({
      name: line.name,
      quantity: line.quantity,
      price: inCurrency(total),
      interval: line.billingInterval?.interval ?? 'month',
      intervalCount: line.billingInterval?.intervalCount ?? 1,
      trialUntil: wire(trialUntil),
      nextChargeAt: toWire(nextChargeAt),
    })),
  }
}

const wire = (moment: Date | null) => moment && toWire(moment)
