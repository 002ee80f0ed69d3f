import type { StatedCurrency } from './currencies.ts'
import { formatLocale, type Locale } from './locale.ts'

/** Times are ISO 8601 and shown in UTC unless a time zone (IANA) is given. */

/** Intl formats decimal strings exactly. A JavaScript number could be off by a cent. */
function decimal(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral
}

/** Caches formatters, because creating a formatter takes 100 times as long as using it. */
function kept<Made>(make: (locale: Locale, currency?: StatedCurrency) => Made): typeof make {
  const made = new Map<string, Made>()
  return (locale, currency) => {
    const key = `${locale} ${currency}`
    const format = made.get(key) ?? make(locale, currency)
    made.set(key, format)
    return format
  }
}

const amounts = kept(
  (locale, currency = 'EUR') =>
    new Intl.NumberFormat(formatLocale[locale], {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 8,
    }),
)

/** Formats an amount: `12.10 EUR` gives `€12.10`. A unit price has up to eight decimals. */
export function money(amount: { value: string; currency: StatedCurrency }, locale: Locale): string {
  return amounts(locale, amount.currency).format(decimal(amount.value))
}

const percentages = kept(
  (locale) => new Intl.NumberFormat(formatLocale[locale], { style: 'percent', maximumFractionDigits: 4 }),
)

/** Formats a percentage: `9.975` gives `9.975%` or `9,975 %`, depending on the language. */
export function percent(percentage: number, locale: Locale): string {
  return percentages(locale).format(decimal(`${percentage}e-2`))
}

const decimals = kept((locale) => new Intl.NumberFormat(formatLocale[locale], { maximumFractionDigits: 6 }))

/** Formats a decimal number: `11.2055` gives `11.2055` or `11,2055`, depending on the language. */
export function decimalNumber(value: string, locale: Locale): string {
  return decimals(locale).format(decimal(value))
}

const wholeNumbers = kept((locale) => new Intl.NumberFormat(formatLocale[locale]))

export function wholeNumber(value: number, locale: Locale): string {
  return wholeNumbers(locale).format(value)
}

const dates = kept((locale) => new Intl.DateTimeFormat(formatLocale[locale], { dateStyle: 'long', timeZone: 'UTC' }))
const dateIn = (locale: Locale, timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale[locale], { dateStyle: 'long', timeZone })
const shortDates = kept(
  (locale) => new Intl.DateTimeFormat(formatLocale[locale], { dateStyle: 'medium', timeZone: 'UTC' }),
)

/** Formats a date with non-breaking spaces: `2026-12-20T09:30:00Z` gives `20 December 2026`. */
export function day(moment: string, locale: Locale, timeZone?: string | null): string {
  return unbroken(timeZone ? dateIn(locale, timeZone).format(new Date(moment)) : plainDay(moment, locale))
}

/** Formats a date in UTC with normal spaces, such as `20 December 2026`. */
export function plainDay(moment: string, locale: Locale): string {
  return dates(locale).format(new Date(moment))
}

/** `20 Nov 2026 – 19 Jan 2027`. A line can break only at the dash, around which Intl puts thin spaces. */
export function days(first: string, last: string, locale: Locale): string {
  return unbroken(shortDates(locale).formatRange(new Date(first), new Date(last)))
}

/** Like `days`, with normal spaces, for text that programs read. */
export const plainDays = (first: string, last: string, locale: Locale): string =>
  shortDates(locale).formatRange(new Date(first), new Date(last)).replace(/\s/g, ' ')

/** `20 December 2026 at 09:30 UTC`, or in a time zone (IANA). A line can break only after the date. */
export function dayAndTime(moment: string, locale: Locale, timeZone?: string | null): string {
  const format = new Intl.DateTimeFormat(formatLocale[locale], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  })
  const parts = format.formatToParts(new Date(moment))
  const afterDate = parts.findIndex(({ type }) => type === 'hour') - 1
  return parts.map(({ value }, index) => (index === afterDate ? unbrokenAfterFirst(value) : unbroken(value))).join('')
}

const noBreak = '\u00a0'
const unbroken = (text: string) => text.replaceAll(' ', noBreak)

function unbrokenAfterFirst(text: string): string {
  const [before, ...after] = text.split(' ')
  return `${before} ${after.join(noBreak)}`
}

const countries = kept((locale) => new Intl.DisplayNames(formatLocale[locale], { type: 'region' }))
const currencies = kept((locale) => new Intl.DisplayNames(formatLocale[locale], { type: 'currency' }))

export function countryName(code: string, locale: Locale): string {
  return countries(locale).of(code) ?? code
}

export function currencyName(code: string, locale: Locale): string {
  return currencies(locale).of(code) ?? code
}

const taxNames = {
  VAT: 'vat',
  'Reverse charge': 'reverseCharge',
  'Outside scope': 'outsideScope',
  GST: 'gst',
  HST: 'hst',
  PST: 'pst',
  QST: 'qst',
  RST: 'rst',
} as const

/** Translates the name of a tax. The rate tables use `VAT` for every European tax, and `GST`, `HST`, `PST`, `QST`, and `RST` for Canada. */
export function taxName(name: string, inWords: (key: (typeof taxNames)[keyof typeof taxNames]) => string): string {
  const key = Object.entries(taxNames).find(([known]) => known === name)?.[1]
  return key ? inWords(key) : name
}

/** A supply outside the scope of EU VAT has no rate, not even a zero rate (EN 16931, category O). */
export const hasRate = (name: string): boolean => name !== 'Outside scope'
