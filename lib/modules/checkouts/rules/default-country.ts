import { isCountry } from '../../../kernel/countries.ts'
import { languageRanges } from '../../../kernel/locale.ts'

/**
 * Returns the country of the browser's preferred language, or ''. Uses the first entry of this language that has a region: for `sv, sv-SE`, the result is SE.
 * Ignores the regions of other languages, because many browsers add `en-US` by default.
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
    return null // Intl.Locale throws a RangeError on an invalid language tag, such as `*`.
  }
}
