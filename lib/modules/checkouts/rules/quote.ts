import { addDuration, cycleStart } from '../../../kernel/calendar.ts'
import { amount, type Currency } from '../../../kernel/money.ts'
import {
  builtInRates,
  convertFor,
  currenciesFor,
  type ExchangeRate,
  type ExchangeRates,
  rateOf,
} from '../../orders/rules/exchange.ts'
import { priceSale } from '../../orders/rules/price.ts'
import { type TaxAmount, type TaxDecision, type TaxFacts, type TaxIdEffect, taxFor } from '../../tax/rules/index.ts'
import { type Checkout, type CheckoutLine, isTrial } from './checkout.ts'

export interface BuyerChoice {
  readonly country: string
  readonly postalCode?: string | null
  readonly taxId: string | null
  readonly currency: string
  /** If the rates are omitted, the fixed rates of test mode apply. */
  readonly rates?: ExchangeRates
  readonly sellerCountry: string
  /** Facts that decide the tax in addition to the buyer's details, such as the country of the buyer's IP address. Set in live mode. */
  readonly facts?: TaxFacts | undefined
}

export type Sold = Pick<Checkout, 'testmode' | 'taxBehavior' | 'lines'>

export interface PricedLine {
  readonly source: CheckoutLine | null
  readonly unitPrice: bigint
  readonly quantity: number
}

export interface Sale {
  readonly currency: Currency
  readonly exchangeRate: ExchangeRate | null
  readonly tax: TaxDecision
  /** The lines that are due today, without trials. If nothing is due, one line of 0.00 verifies the payment method. */
  readonly due: ReturnType<typeof priceSale<PricedLine>>
  readonly renewals: readonly Renewal[]
}

interface Renewal {
  readonly line: CheckoutLine
  /** The price of one period before tax, in minor units of the sale's currency. */
  readonly subtotal: bigint
  readonly taxSummary: readonly TaxAmount[]
  /** The price of one period with tax. */
  readonly total: bigint
  readonly trialUntil: Date | null
  readonly nextChargeAt: Date
}

export const currencyOf = ({
  country,
  currency,
  rates = builtInRates,
}: Pick<BuyerChoice, 'country' | 'currency' | 'rates'>): Currency =>
  currenciesFor(country, rates).find((each) => each === currency) ?? 'EUR'

export const taxIdEffectOf = (
  mode: { readonly testmode: boolean },
  { country: buyerCountry, ...choice }: BuyerChoice,
): TaxIdEffect => taxFor(mode).taxIdEffect({ ...choice, buyerCountry })

export function quoteSale(checkout: Sold, choice: BuyerChoice, now: Date): Sale {
  const tax = taxFor(checkout).decide({ ...choice, buyerCountry: choice.country, on: now })
  const currency = currencyOf(choice)
  const exchangeRate = currency === 'EUR' ? null : rateOf(choice.rates ?? builtInRates, currency)
  return priced(checkout, { currency, exchangeRate, tax }, now)
}

/** Returns catalog prices for display before the buyer chooses a country. They are never charged. */
export const quoteBeforeTax = (checkout: Sold, now: Date): Omit<Sale, 'tax'> =>
  priced(
    checkout,
    { currency: 'EUR', exchangeRate: null, tax: { reason: 'standard', rates: [{ name: 'VAT', percentage: '0' }] } },
    now,
  )

function priced(
  checkout: Sold,
  { currency, exchangeRate, tax }: Pick<Sale, 'currency' | 'exchangeRate' | 'tax'>,
  now: Date,
): Sale {
  const price = (items: readonly PricedLine[]) =>
    priceSale({ items, currency, exchangeRate, behavior: checkout.taxBehavior, rates: tax.rates })
  const dueNow = checkout.lines.filter((line) => !isTrial(line))
  return {
    currency,
    exchangeRate,
    tax,
    due: price(dueNow.length > 0 ? dueNow.map(asItem) : [verification]),
    renewals: checkout.lines.flatMap((line) => {
      if (!line.billingInterval) return []
      const trialUntil = trialEnd(line, now)
      const { interval, intervalCount } = line.billingInterval
      const nextChargeAt = trialUntil ?? cycleStart(now, interval, intervalCount, 1)
      const { subtotal, taxSummary, total } = price([asItem(line)])
      return [{ line, subtotal, taxSummary, total, trialUntil, nextChargeAt }]
    }),
  }
}

export const asksForMethod = ({ due, renewals }: Pick<Sale, 'due' | 'renewals'>): boolean =>
  due.total > 0n || renewals.some(({ total }) => total > 0n)

/** Returns the total due today and the price of each renewal as one text, so that two quotes can be compared. */
export const pricesOf = ({ currency, due, renewals }: Pick<Sale, 'currency' | 'due' | 'renewals'>): string =>
  [due, ...renewals].map(({ total }) => `${amount(total, currency).value} ${currency}`).join(', ')

export const trialEnd = (line: CheckoutLine, now: Date): Date | null =>
  isTrial(line) ? addDuration(now, { days: line.trialDays ?? 0 }) : null

const asItem = (line: CheckoutLine): PricedLine => ({
  source: line,
  unitPrice: line.unitPrice,
  quantity: line.quantity,
})
const verification: PricedLine = { source: null, unitPrice: 0n, quantity: 1 }

/**
 * Returns the unit price in minor units of the buyer's currency. For an item with a trial, this is the price after the
 * trial.
 */
export const unitPriceAt = (line: CheckoutLine, exchangeRate: ExchangeRate | null): bigint =>
  convertFor(exchangeRate, line.unitPrice)
