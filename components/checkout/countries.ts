import { countryName } from '@/components/format.ts'
import { countries } from '@/lib/kernel/countries.ts'
import { escapeHtml } from '@/lib/kernel/html.ts'
import { formatLocale, type Locale } from '@/lib/kernel/locale.ts'

type NamedCountry = { code: string; name: string }
const sorted = new Map<Locale, NamedCountry[]>()

function namedCountries(locale: Locale): NamedCountry[] {
  const known = sorted.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(formatLocale[locale])
  const list = countries
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((one, other) => compare(one.name, other.name))
  sorted.set(locale, list)
  return list
}

const written = new Map<Locale, string>()

/**
 * The options of a country select as HTML, because React would need 3 ms per page for 250 elements. If no
 * country is chosen, the first option is the placeholder.
 */
export function countryOptions(
  locale: Locale,
  { chosen, placeholder }: { chosen: string; placeholder: string },
): string {
  const html = written.get(locale) ?? namedCountries(locale).map(option).join('')
  written.set(locale, html)
  if (chosen === '') return `<option value="" selected="">${escapeHtml(placeholder)}</option>${html}`
  const [before, after] = html.split(`value="${escapeHtml(chosen)}"`)
  return after === undefined ? html : `${before}value="${chosen}" selected=""${after}`
}

const option = ({ code, name }: NamedCountry): string => `<option value="${code}">${escapeHtml(name)}</option>`
