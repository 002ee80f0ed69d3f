/** The languages of every text that a person reads. `messages/en.json` is the source; the others follow it. */
export const locales = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'] as const
export type Locale = (typeof locales)[number]

/**
 * The BCP 47 tag with which Intl formats dates and amounts of a language: the European variant if there are several.
 */
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

/**
 * The language of a bare code, a BCP 47 tag or a POSIX locale, or null if it is not supported: `de`, `deu`, `pt-BR`,
 * `de_DE.UTF-8@euro`. `C` and `POSIX` name no language.
 */
export function foldLocale(input: string): Locale | null {
  const [tag = ''] = input.split(/[.@]/)
  try {
    const { language } = new Intl.Locale(tag.replaceAll('_', '-'))
    return locales.find((locale) => locale === language) ?? null
  } catch {
    return null // Intl.Locale throws on an invalid tag
  }
}

/**
 * The tags of an Accept-Language header (RFC 9110, section 12.5.4), the most preferred first; those of weight 0 are
 * omitted.
 */
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

/** The most preferred supported language of an Accept-Language header; English without one. */
export function negotiateLocale(acceptLanguage: string | null): Locale {
  for (const tag of languageRanges(acceptLanguage)) {
    const locale = foldLocale(tag)
    if (locale) return locale
  }
  return 'en'
}
