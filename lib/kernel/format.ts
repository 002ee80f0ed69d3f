import type { StatedCurrency } from './currencies.ts'
import { formatLocale, type Locale } from './locale.ts'

/** Times in this file are ISO 8601 and shown in UTC unless a time zone (IANA) is given. */

/** Intl formats decimal strings exactly, whereas a JavaScript number could be off by a cent. */
function decimal(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral
}

/** Caches formatters, because creating a formatter takes 100 times as long as using it. */
function kept<Made, Of extends string = never>(make: (locale: Locale, of?: Of) => Made): typeof make {
  const made = new Map<string, Made>()
  return (locale, of) => {
    const key = `${locale} ${of}`
    const format = made.get(key) ?? make(locale, of)
    made.set(key, format)
    return format
  }
}

const amounts = kept(
  (locale, currency: StatedCurrency = 'EUR') =>
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

const shares = kept(
  (locale) => new Intl.NumberFormat(formatLocale[locale], { style: 'percent', maximumFractionDigits: 1 }),
)

/** Formats a share as a percentage with at most one decimal: `0.9975` gives `99.8%`. */
export const shareText = (share: number, locale: Locale): string => shares(locale).format(share)

const twoDecimals = kept((locale) => new Intl.NumberFormat(formatLocale[locale], { minimumFractionDigits: 2 }))

/** Formats a decimal number with at least two decimals: `1234.5` gives `1,234.50` or `1.234,50`, depending on the language. */
export const withTwoDecimals = (value: string, locale: Locale): string => twoDecimals(locale).format(decimal(value))

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  kept((locale) => new Intl.DateTimeFormat(formatLocale[locale], { ...options, timeZone: 'UTC' }))

const dates = inUtc({ dateStyle: 'long' })
const dateIn = (locale: Locale, timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale[locale], { dateStyle: 'long', timeZone })
const shortDates = inUtc({ dateStyle: 'medium' })
const shortMoments = inUtc({ dateStyle: 'medium', timeStyle: 'short' })
const months = inUtc({ month: 'long', year: 'numeric' })
const shortMonths = inUtc({ month: 'short' })
const daysOfMonth = inUtc({ day: 'numeric', month: 'short' })
const weekdays = inUtc({ weekday: 'long' })

/** Formats a date with non-breaking spaces: `2026-12-20T09:30:00Z` gives `20 December 2026`. */
export function day(moment: string, locale: Locale, timeZone?: string | null): string {
  return unbroken(timeZone ? dateIn(locale, timeZone).format(new Date(moment)) : plainDay(moment, locale))
}

/** Formats a date in UTC with normal spaces, such as `20 December 2026`. */
export function plainDay(moment: string, locale: Locale): string {
  return dates(locale).format(new Date(moment))
}

/** Formats a date in UTC, such as `20 Dec 2026`. */
export const shortDay = (moment: string, locale: Locale): string => shortDates(locale).format(new Date(moment))

/** Formats a time in UTC to the minute, such as `20 Dec 2026, 09:30`. The text does not name the time zone. */
export const shortDayAndTime = (moment: string, locale: Locale): string => shortMoments(locale).format(new Date(moment))

/** Formats the month of a date in UTC, such as `December 2026`. */
export const monthAndYear = (moment: string, locale: Locale): string => months(locale).format(new Date(moment))

/** Formats the month of a date in UTC for a chart, such as `Dec`. */
export const shortMonth = (moment: string, locale: Locale): string => shortMonths(locale).format(new Date(moment))

/** Formats a date in UTC for a chart, such as `20 Dec`. */
export const dayOfMonth = (moment: string, locale: Locale): string => daysOfMonth(locale).format(new Date(moment))

/** The name of a weekday: 1 gives `Monday`, and 7 gives `Sunday`. */
export const weekdayName = (weekday: number, locale: Locale): string =>
  // 1 January 2024 was a Monday, so a day's number in this week is also its number in the month.
  weekdays(locale).format(Date.UTC(2024, 0, weekday))

/**
 * Formats a range of days, such as `20 Nov 2026 – 19 Jan 2027`. A line can break only at the dash, around which Intl
 * puts thin spaces.
 */
export function days(first: string, last: string, locale: Locale): string {
  return unbroken(shortDates(locale).formatRange(new Date(first), new Date(last)))
}

/** Like `days`, with normal spaces, for text that programs read. */
export const plainDays = (first: string, last: string, locale: Locale): string =>
  shortDates(locale).formatRange(new Date(first), new Date(last)).replace(/\s/g, ' ')

const dateAndTime = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
const momentIn = (locale: Locale, timeZone: string) =>
  new Intl.DateTimeFormat(formatLocale[locale], { ...dateAndTime, timeZone })
const moments = inUtc(dateAndTime)

/**
 * Formats a time in UTC or in a time zone (IANA), such as `20 December 2026 at 09:30 UTC`. A line can break only after
 * the date.
 */
export function dayAndTime(moment: string, locale: Locale, timeZone?: string | null): string {
  const format = timeZone ? momentIn(locale, timeZone) : moments(locale)
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

const lists = kept((locale) => new Intl.ListFormat(formatLocale[locale]))

/** Joins texts, for example as `one, two and three`. */
export const listText = (texts: readonly string[], locale: Locale): string => lists(locale).format(texts)

const timeSpans = kept(
  (locale, unit: 'minute' | 'hour' | 'day' = 'day') =>
    new Intl.NumberFormat(formatLocale[locale], { style: 'unit', unit, unitDisplay: 'long' }),
)

/** Formats a duration in one unit, such as `3 hours`. */
export const timeSpan = (count: number, unit: 'minute' | 'hour' | 'day', locale: Locale): string =>
  timeSpans(locale, unit).format(count)

const countries = kept((locale) => new Intl.DisplayNames(formatLocale[locale], { type: 'region' }))
const currencies = kept((locale) => new Intl.DisplayNames(formatLocale[locale], { type: 'currency' }))

export function countryName(code: string, locale: Locale): string {
  return countries(locale).of(code) ?? code
}

const languages = kept((locale) => new Intl.DisplayNames(formatLocale[locale], { type: 'language' }))

/** The name of a language with a capital first letter: `de` gives `German` or `Deutsch`, depending on the language. */
export function languageName(code: string, locale: Locale): string {
  const name = languages(locale).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(formatLocale[locale]) + name.slice(1)
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
