import { isCountry } from '../../../kernel/countries.ts'
import { languageRanges } from '../../../kernel/locale.ts'

/**
 * The country in a browser's language preferences, or ''. It is the region of the most wanted language, in any entry of
 * that language (`sv-SE`, or `sv` before `sv-SE`). A language alone implies no country, and the region of a second
 * language is mostly the browser's own default (`ja,en-US;q=0.9`).
 */
export function defaultCountry(acceptLanguage: string | null): string {
  const wanted = languageRanges(acceptLanguage).flatMap((tag) => languageTag(tag) ?? [])
  const inFirstLanguage = wanted.filter(({ language }) => language === wanted[0]?.language)
  return inFirstLanguage.map(({ region }) => region).find((region) => region && isCountry(region)) ?? ''
}

function languageTag(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null // Intl.Locale throws on an invalid language tag, such as `*`
  }
}
