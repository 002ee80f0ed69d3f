import type { TaxRate } from './rates.ts'
import type { Registration } from './registration.ts'

/**
 * In five provinces, the federal tax (GST) is part of a harmonized tax (HST). Four provinces levy a tax in addition to the GST. Sources: Canada Revenue
 * Agency, "GST/HST rates"; Revenu Québec, "QST"; the finance ministries of British Columbia and Saskatchewan ("PST") and of Manitoba ("RST").
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

/** A registration names one of the provinces with a tax of their own, or no province for the federal tax. */
export const provincesWithOwnTax: readonly string[] = Object.keys(ownTax)

/** Maps the first letter of a postal code to the province (Canada Post). Two territories share the letter X and have the same tax. */
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

const provinceOf = (postalCode: string | null): string | null =>
  provinceOfLetter[(postalCode ?? '').trim().slice(0, 1).toUpperCase()] ?? null

/** `isAtHome`: the seller is in Canada, so the federal tax needs no registration. If the province is unknown, only the federal tax is certain. */
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
