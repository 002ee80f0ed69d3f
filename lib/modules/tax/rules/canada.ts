import type { TaxRate } from './rates.ts'
import type { Registration } from './registration.ts'

/**
 * Canada's taxes by province. In five provinces the federal tax (GST) is part of a harmonized tax (HST). Four provinces
 * levy their own tax beside the GST. Sources: Canada Revenue Agency, "GST/HST rates"; Revenu Québec, "QST"; the finance
 * ministries of British Columbia and Saskatchewan ("PST") and of Manitoba ("RST").
 */
const harmonized: Readonly<Record<string, readonly (readonly [from: string, percentage: string])[]>> = {
  NB: [['2024-01-01', '15']],
  NL: [['2024-01-01', '15']],
  NS: [
    ['2024-01-01', '15'],
    ['2025-04-01', '14'],
  ],
  ON: [['2024-01-01', '13']],
  PE: [['2024-01-01', '15']],
}
const ownTax: Readonly<Record<string, TaxRate>> = {
  BC: { name: 'PST', percentage: '7' },
  MB: { name: 'RST', percentage: '7' },
  QC: { name: 'QST', percentage: '9.975' },
  SK: { name: 'PST', percentage: '6' },
}
const federal: TaxRate = { name: 'GST', percentage: '5' }

/** The provinces with their own tax. A registration names one of them, or no province for the federal tax. */
export const provincesWithOwnTax: readonly string[] = Object.keys(ownTax)

/** The province by the first letter of a postal code (Canada Post). Two territories share X and have the same tax. */
const provinceOfLetter: Readonly<Record<string, string>> = {
  A: 'NL',
  B: 'NS',
  C: 'PE',
  E: 'NB',
  G: 'QC',
  H: 'QC',
  J: 'QC',
  K: 'ON',
  L: 'ON',
  M: 'ON',
  N: 'ON',
  P: 'ON',
  R: 'MB',
  S: 'SK',
  T: 'AB',
  V: 'BC',
  X: 'NT',
  Y: 'YT',
}

/** The two-letter province; null if the postal code is not Canadian. */
const provinceOf = (postalCode: string | null): string | null =>
  provinceOfLetter[(postalCode ?? '').trim().slice(0, 1).toUpperCase()] ?? null

/**
 * The taxes that a seller collects from a buyer in Canada on a day (`2026-11-23`). `isAtHome`: the seller is in Canada,
 * where the federal tax needs no registration here. Without a province only the federal tax is certain.
 */
export function canadianRates(
  { registrations, isAtHome }: { registrations: readonly Registration[]; isAtHome: boolean },
  postalCode: string | null,
  day: string,
): readonly TaxRate[] {
  const province = provinceOf(postalCode)
  const isRegistered = (region: string) => registrations.some((each) => each.region === region)
  const own = province !== null && isRegistered(province) ? ownTax[province] : undefined
  const collectsFederal = isAtHome || isRegistered('')
  return [...(collectsFederal ? [federalRate(province, day)] : []), ...(own ? [own] : [])]
}

function federalRate(province: string | null, day: string): TaxRate {
  const [, percentage] = (province ? harmonized[province] : undefined)?.findLast(([from]) => from <= day) ?? []
  return percentage ? { name: 'HST', percentage } : federal
}
