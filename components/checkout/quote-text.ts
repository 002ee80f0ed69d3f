import { countryName, currencyName, day, hasRate, money, percent, taxName, wholeNumber } from '@/components/format.ts'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { Quote, QuoteLine, RenewalView } from '@/lib/modules/checkouts/page.ts'
import { detailsText, type Words } from './details-text.ts'

/**
 * Every text that changes with country, tax ID, or currency. The server writes the texts for the page and for each
 * response of `quoteUrl`. The browser only inserts the strings, so it needs neither messages nor number formats.
 */
export interface QuoteText extends LiveText {
  total: string
  /** The label of the total due. If no country is chosen, the label says that the total is before tax. */
  totalLabel: string
  dueLabel: string
  /** The prices that the buyer sees, encoded for the form field `seenPrices`. */
  seenPrices: string
  /**
   * `sentence` describes the renewal. For several subscriptions, `items` has one entry per subscription. `beforeTax`
   * says that the amounts depend on the country. It is empty if the country is known or the prices include tax.
   */
  renewal: { beforeTax: string; sentence: string; items: string[] } | null
  lines: LineText[]
  /** The collapsed lines. Null if all lines are shown. */
  moreLines: { label: string; lines: LineText[] } | null
  /** `above` lists the amounts that add up to the total. `below` lists the tax that is included in the total. */
  above: { label: string; amount: string }[]
  below: { label: string; amount: string }[]
  methods: readonly string[]
  /** The method to preselect. Null while the country is unknown. */
  proposedMethod: string | null
  /** False if nothing is due, neither today nor later. */
  asksForMethod: boolean
  confirm: string
  /**
   * The text with which the buyer agrees to an immediate start of the supply. Null for a buyer without a right of
   * withdrawal.
   */
  withdrawal: string | null
  currency: string
  /** At least two entries if the buyer can choose a currency. */
  currencies: { code: string; name: string }[]
}

interface LineText {
  name: string
  description: string
  unit: string
  amount: string
  note: string | null
}

/** Up to six lines are all shown. Of seven or more lines, only the first five are shown, so at least two lines are collapsed. */
const mostLines = 6
const firstLines = 5

export function quoteText(quote: Quote, locale: Locale, t: Words): QuoteText {
  const total = money(quote.total, locale)
  const taxes = quote.taxes.map((tax) => ({
    label: taxLabel(quote, tax, locale, t),
    amount: money(tax.amount, locale),
  }))
  const inclusive = quote.taxBehavior === 'inclusive'
  // A tax-inclusive price is final before the country is known, because it is the same in every country.
  const isBeforeTax = quote.country === null && !inclusive
  return {
    ...detailsText(quote, t),
    total,
    totalLabel: isBeforeTax ? t('checkout.summary.totalBeforeTax') : t('checkout.summary.total'),
    dueLabel: isBeforeTax ? t('checkout.summary.dueBeforeTax') : t('checkout.summary.dueToday'),
    seenPrices: quote.prices,
    renewal: renewalText(quote, isBeforeTax, locale, t),
    ...linesText(quote, locale, t),
    above: inclusive
      ? []
      : isBeforeTax
        ? [{ label: t('checkout.summary.taxUnknown.label'), amount: t('checkout.summary.taxUnknown.amount') }]
        : [{ label: t('checkout.summary.subtotal'), amount: money(quote.subtotal, locale) }, ...taxes],
    below: inclusive ? taxes : [],
    methods: quote.methods,
    proposedMethod: quote.proposedMethod,
    asksForMethod: quote.asksForMethod,
    confirm: confirmText(quote, isBeforeTax ? null : total, t),
    withdrawal: consentText(quote, t),
    currency: quote.currency,
    currencies: quote.currencies.map((code) => ({ code, name: `${code} – ${currencyName(code, locale)}` })),
    changed: t('checkout.summary.changed', { total }),
  }
}

function consentText({ withdrawal, lines }: Quote, t: Words): string | null {
  if (withdrawal === null) return null
  const consent = t(`checkout.withdrawal.consent.${withdrawal}`)
  return lines.some(({ trialUntil }) => trialUntil !== null) ? `${consent} ${t('checkout.withdrawal.trial')}` : consent
}

function linesText(quote: Quote, locale: Locale, t: Words): Pick<QuoteText, 'lines' | 'moreLines'> {
  const lines = quote.lines.map((line) => ({
    name: line.name,
    description: line.description,
    unit: unitText(line, locale, t),
    amount: money(line.trialUntil ? { ...line.amount, value: '0.00' } : line.amount, locale),
    note: line.trialUntil && t('checkout.summary.freeUntil', { date: day(line.trialUntil, locale, quote.timeZone) }),
  }))
  if (lines.length <= mostLines) return { lines, moreLines: null }
  const more = lines.slice(firstLines)
  const label = t('checkout.summary.more', { count: more.length })
  return { lines: lines.slice(0, firstLines), moreLines: { label, lines: more } }
}

/** Returns a text such as `3 × Team plan`. The quantity distinguishes two subscriptions to one plan. */
const counted = ({ name, quantity }: RenewalView, locale: Locale, t: Words) =>
  quantity === 1 ? name : t('checkout.receipt.quantity', { quantity: wholeNumber(quantity, locale), name })

/** Returns a text such as `every month` or `every 3 months`. */
function every({ interval, intervalCount }: { interval: RenewalView['interval']; intervalCount: number }, t: Words) {
  return t(`common.every.${interval}`, { count: intervalCount })
}

function unitText(line: QuoteLine, locale: Locale, t: Words): string {
  const unit = { quantity: wholeNumber(line.quantity, locale), price: money(line.unitPrice, locale) }
  return line.recurring
    ? t('checkout.summary.unitRecurring', { ...unit, every: every(line.recurring, t) })
    : t('checkout.summary.unit', unit)
}

export function taxLabel(
  quote: Pick<Quote, 'country' | 'reverseCharge' | 'taxBehavior'>,
  tax: Pick<Quote['taxes'][number], 'name' | 'percentage'>,
  locale: Locale,
  t: Words,
): string {
  const country = quote.country === null ? '' : countryName(quote.country, locale)
  if (quote.reverseCharge) return t('checkout.summary.reverseCharge', { country })
  const name = taxName(tax.name, (key) => t(`common.taxNames.${key}`))
  if (!hasRate(tax.name)) return t('checkout.summary.taxWithoutRate', { name, country })
  const named = { name, rate: percent(tax.percentage, locale), country }
  return quote.taxBehavior === 'inclusive' ? t('checkout.summary.taxIncluded', named) : t('checkout.summary.tax', named)
}

function renewalText(quote: Quote, isBeforeTax: boolean, locale: Locale, t: Words): QuoteText['renewal'] {
  const agreed = agreedText(quote, locale, t)
  return agreed && { ...agreed, beforeTax: isBeforeTax ? t('checkout.renewal.beforeTax') : '' }
}

type Agreed = Omit<NonNullable<QuoteText['renewal']>, 'beforeTax'>

function agreedText(quote: Quote, locale: Locale, t: Words): Agreed | null {
  const [first, ...others] = quote.renewals
  // No consent is needed if nothing will be charged.
  if (!first || !quote.asksForMethod) return null
  const today = money(quote.total, locale)
  const owesNothing = isZero(quote.total.value)
  const figures = (renewal: RenewalView) => ({
    name: renewal.name,
    price: money(renewal.price, locale),
    every: every(renewal, t),
    date: day(renewal.nextChargeAt, locale, quote.timeZone),
  })
  if (others.length > 0) {
    return {
      sentence: owesNothing ? t('checkout.renewal.severalTrials') : t('checkout.renewal.several', { today }),
      items: quote.renewals.map((renewal) =>
        t('checkout.renewal.item', { ...figures(renewal), name: counted(renewal, locale, t) }),
      ),
    }
  }
  if (first.trialUntil === null) {
    return { sentence: t('checkout.renewal.one', { today, ...figures(first) }), items: [] }
  }
  return {
    sentence: owesNothing
      ? t('checkout.renewal.oneTrial', figures(first))
      : t('checkout.renewal.oneTrialAndMore', { today, ...figures(first) }),
    items: [],
  }
}

/** `total` is null if the tax depends on an unknown country. */
function confirmText(quote: Quote, total: string | null, t: Words): string {
  if (!isZero(quote.total.value)) return total ? t('checkout.confirm.pay', { total }) : t('checkout.confirm.payAny')
  return quote.asksForMethod ? t('checkout.confirm.startTrial') : t('checkout.confirm.free')
}

export const isZero = (value: string) => /^0*\.?0*$/.test(value)
