import type { StatedCurrency } from './currencies.ts'
import { formatLocale, type Locale } from './locale.ts'

/**
 * Formats amounts, numbers, moments and names for readers of a language. Moments are ISO 8601, and shown in UTC where no time
 * zone (IANA) is given.
 */

/** Intl formats decimal strings exactly; a Number in between could change a cent. */
function decimal(value: string): Intl.StringNumericLiteral {
  return value as Intl.StringNumericLiteral
}

/** Caches one formatter per language and currency: creating one takes 100 times as long as using it. */
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

/** `12.10 EUR` -> `€12.10`; a unit price keeps the decimals it has, up to eight. */
export function money(amount: { value: string; currency: StatedCurrency }, locale: Locale): string {
  return amounts(locale, amount.currency).format(decimal(amount.value))
}

const percentages = kept(
  (locale) => new Intl.NumberFormat(formatLocale[locale], { style: 'percent', maximumFractionDigits: 4 }),
)

/** `9.975` -> `9.975%`, `9,975 %`. */
export function percent(percentage: number, locale: Locale): string {
  return percentages(locale).format(decimal(`${percentage}e-2`))
}

const decimals = kept((locale) => new Intl.NumberFormat(formatLocale[locale], { maximumFractionDigits: 6 }))

/** `11.2055` -> `11.2055`, `11,2055`. */
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

/** `2026-12-20T09:30:00Z` -> `20 December 2026`, which no line break divides. */
export function day(moment: string, locale: Locale, timeZone?: string | null): string {
  return unbroken(timeZone ? dateIn(locale, timeZone).format(new Date(moment)) : plainDay(moment, locale))
}

/** `20 December 2026`, with plain spaces. */
export function plainDay(moment: string, locale: Locale): string {
  return dates(locale).format(new Date(moment))
}

/** A range of days: `20 Nov 2026 – 19 Jan 2027`. A line may break beside the dash only: Intl puts thin spaces there. */
export function days(first: string, last: string, locale: Locale): string {
  return unbroken(shortDates(locale).formatRange(new Date(first), new Date(last)))
}

/** The range of `days` with plain spaces, for a description that programs read too. */
export const plainDays = (first: string, last: string, locale: Locale): string =>
  shortDates(locale).formatRange(new Date(first), new Date(last)).replace(/\s/g, ' ')

/** `20 December 2026 at 09:30 UTC`, or in another time zone (IANA). A line may break after the date only. */
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

/** The name of a tax rate in the reader's language: the tables call every European one `VAT`, and Canada's GST and QST. */
export function taxName(name: string, inWords: (key: (typeof taxNames)[keyof typeof taxNames]) => string): string {
  const key = Object.entries(taxNames).find(([known]) => known === name)?.[1]
  return key ? inWords(key) : name
}

/** False for a supply outside the scope of EU VAT: no rate applies to it, not one of zero (EN 16931, category O). */
export const hasRate = (name: string): boolean => name !== 'Outside scope'
