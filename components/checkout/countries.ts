import { countryName } from '@/components/format.ts'
import { countries } from '@/lib/kernel/countries.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'

type NamedCountry = { code: string; name: string }
const sorted = new Map<Locale, NamedCountry[]>()

/** Every country under its name in this language, in this language's alphabetical order. */
export function namedCountries(locale: Locale): NamedCountry[] {
  const known = sorted.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(formatLocale[locale])
  const list = countries
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((one, other) => compare(one.name, other.name))
  sorted.set(locale, list)
  return list
}
