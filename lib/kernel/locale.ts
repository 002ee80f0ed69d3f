/** `messages/en.json` is the source of all texts. The other languages are translations. */
export const locales = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'] as const
export type Locale = (typeof locales)[number]

/** BCP 47 tags for Intl. English and Portuguese have the tags of their European variants. */
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

/** Maps a language code, BCP 47 tag, or POSIX locale (`de_DE.UTF-8@euro`) to a supported language or null. */
export function foldLocale(input: string): Locale | null {
  const [tag = ''] = input.split(/[.@]/)
  try {
    const { language } = new Intl.Locale(tag.replaceAll('_', '-'))
    return locales.find((locale) => locale === language) ?? null
  } catch {
    return null
  }
}

/** The tags of an Accept-Language header (RFC 9110, section 12.5.4), most preferred first, without tags of weight 0. */
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
