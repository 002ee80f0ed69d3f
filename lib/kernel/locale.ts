/** The languages of every text that a person reads. `messages/en.json` is the source; the others follow it. */
export const locales = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'] as const
export type Locale = (typeof locales)[number]

/** The BCP 47 tag for Intl: the European variant if there are several. */
export const formatLocale: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  nl: 'nl',
  es: 'es',
  it: 'it',
  pt: 'pt-PT',
  pl: 'pl',
}

/** The language of a code, a BCP 47 tag or a POSIX locale (`de_DE.UTF-8@euro`). Null if it is not supported. */
export function foldLocale(input: string): Locale | null {
  const [tag = ''] = input.split(/[.@]/)
  try {
    const { language } = new Intl.Locale(tag.replaceAll('_', '-'))
    return locales.find((locale) => locale === language) ?? null
  } catch {
    return null // Intl.Locale throws on an invalid tag
  }
}

/** The tags of an Accept-Language header (RFC 9110, section 12.5.4), preferred first, without weight 0. */
export function languageRanges(acceptLanguage: string | null): string[] {
  return (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

export function negotiateLocale(acceptLanguage: string | null): Locale {
  for (const tag of languageRanges(acceptLanguage)) {
    const locale = foldLocale(tag)
    if (locale) return locale
  }
  return 'en'
}
