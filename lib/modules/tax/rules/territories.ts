import { lookUp } from '../../../kernel/look-up.ts'
import { digitsOfPostalCode, plainPostalCode } from '../../../kernel/postal-codes.ts'
import { isInEuVatArea } from './eu.ts'

export type Place =
  /** `ratePercentage` is the rate of a region; null for the country's standard rate. */
  | { readonly area: 'eu'; readonly country: string; readonly ratePercentage: string | null }
  /** `country` is the country whose registration counts; null if this service knows no tax there. */
  | { readonly area: 'outside'; readonly country: string | null; readonly ratePercentage: string | null }

interface Territory {
  /** ISO 3166-1 alpha-2 of the address. */
  readonly country: string
  readonly name: string
  /** In capitals and without blanks. Numeric codes have no country prefix. */
  readonly postalCodes: RegExp
  readonly place: Place
}

/** A territory with its own ISO 3166-1 code, which addresses may name by the country that it belongs to. */
const outside = (country: string): Place => ({ area: 'outside', country, ratePercentage: null })
const untaxed: Place = { area: 'outside', country: null, ratePercentage: null }
/** France taxes Guadeloupe, Martinique, and Réunion itself, outside the directive and the One Stop Shop. */
const frenchOverseas: Place = { area: 'outside', country: 'FR', ratePercentage: '8.5' }

/**
 * By postal code. Parts outside the directive: its art. 6, as the European Commission lists them under "Territorial
 * status of EU countries and certain territories". Rates of Madeira and the Azores: eu-vat-rates-data of 2026-08-22
 * (from TEDB; an older list, ibericode/vat-rates, has 18 for the Azores). Overseas departments of France: Code général
 * des impôts, art. 294 and 296. Northern Ireland needs no entry: it is in the EU's area for goods only.
 */
const territories: readonly Territory[] = [
  { country: 'ES', name: 'Canary Islands', postalCodes: /^(35|38)\d{3}$/, place: untaxed },
  { country: 'ES', name: 'Ceuta', postalCodes: /^51\d{3}$/, place: untaxed },
  { country: 'ES', name: 'Melilla', postalCodes: /^52\d{3}$/, place: untaxed },
  { country: 'IT', name: 'Livigno', postalCodes: /^23041$/, place: untaxed },
  { country: 'IT', name: "Campione d'Italia", postalCodes: /^22061$/, place: untaxed },
  { country: 'DE', name: 'Büsingen', postalCodes: /^78266$/, place: untaxed },
  { country: 'DE', name: 'Heligoland', postalCodes: /^27498$/, place: untaxed },
  // These are not member states, even if the address names one. Greenland and the Faroe Islands are not in the EU
  // (Treaty on European Union, art. 52, and Treaty on the Functioning of the European Union, art. 355). San Marino and
  // the Vatican have Italian postal codes.
  { country: 'DK', name: 'Greenland', postalCodes: /^39\d{2}$/, place: outside('GL') },
  { country: 'DK', name: 'Faroe Islands', postalCodes: /^(FO)?\d{3}$/, place: outside('FO') },
  { country: 'IT', name: 'San Marino', postalCodes: /^4789\d$/, place: outside('SM') },
  { country: 'IT', name: 'Vatican City', postalCodes: /^00120$/, place: outside('VA') },
  // Outside the VAT of the United Kingdom (Value Added Tax Act 1994, s. 96) and of Norway (merverdiavgiftsloven, § 1-2).
  { country: 'GB', name: 'Jersey', postalCodes: /^JE\d/, place: outside('JE') },
  { country: 'GB', name: 'Guernsey', postalCodes: /^GY\d/, place: outside('GG') },
  { country: 'GB', name: 'Gibraltar', postalCodes: /^GX11/, place: outside('GI') },
  { country: 'NO', name: 'Svalbard, Jan Mayen', postalCodes: /^(917\d|8099)$/, place: outside('SJ') },
  { country: 'FI', name: 'Åland', postalCodes: /^22\d{3}$/, place: untaxed },
  { country: 'GR', name: 'Mount Athos', postalCodes: /^63086$/, place: untaxed },
  {
    country: 'PT',
    name: 'Madeira',
    postalCodes: /^9[0-4]\d{2}(\d{3})?$/,
    place: { area: 'eu', country: 'PT', ratePercentage: '22' },
  },
  {
    country: 'PT',
    name: 'Azores',
    postalCodes: /^9[5-9]\d{2}(\d{3})?$/,
    place: { area: 'eu', country: 'PT', ratePercentage: '16' },
  },
  // Saint-Barthélemy and Saint-Martin have postal codes of Guadeloupe and their own taxes (Code général des
  // collectivités territoriales, art. LO 6214-4 and LO 6314-4).
  { country: 'FR', name: 'Saint-Barthélemy, Saint-Martin', postalCodes: /^(97133|97150)$/, place: untaxed },
  { country: 'FR', name: 'Guadeloupe, Martinique, Réunion', postalCodes: /^97[124]\d{2}$/, place: frenchOverseas },
  // French Guiana, Mayotte, and the collectivities of the Pacific and of Saint Pierre have no VAT.
  { country: 'FR', name: 'French overseas without VAT', postalCodes: /^(97[35-9]|98[6-8])\d{2}$/, place: untaxed },
]

/** Countries (ISO 3166-1) that share the tax of another country, whose rate and registration apply. */
const sharedTax: Readonly<Record<string, Place>> = {
  GP: frenchOverseas,
  MQ: frenchOverseas,
  RE: frenchOverseas,
  IM: { area: 'outside', country: 'GB', ratePercentage: null },
  LI: { area: 'outside', country: 'CH', ratePercentage: null },
}

/**
 * Monaco counts as France (Directive 2006/112/EC, art. 7). The Isle of Man shares a VAT area with the United Kingdom
 * (Isle of Man Act 1979, s. 6).
 */
export const vatCountry = (country: string): string => lookUp(vatCountries, country) ?? country

const vatCountries: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' }

/** Territories with their own code that address lists assign to the country that they belong to. */
const partOf: Readonly<Record<string, string>> = {
  MC: 'FR',
  GP: 'FR',
  MQ: 'FR',
  GF: 'FR',
  RE: 'FR',
  YT: 'FR',
  PM: 'FR',
  BL: 'FR',
  MF: 'FR',
  NC: 'FR',
  PF: 'FR',
  WF: 'FR',
  IM: 'GB',
  JE: 'GB',
  GG: 'GB',
  GI: 'GB',
  AX: 'FI',
  FO: 'DK',
  GL: 'DK',
  SJ: 'NO',
  LI: 'CH',
  SM: 'IT',
  VA: 'IT',
  PR: 'US',
}

/** An address book or a bank may name the country that a territory belongs to. */
export const isSameTaxCountry = (a: string, b: string): boolean => (lookUp(partOf, a) ?? a) === (lookUp(partOf, b) ?? b)

export function placeOf(country: string, postalCode: string | null): Place {
  const codes = [plainPostalCode(postalCode ?? ''), digitsOfPostalCode(postalCode ?? '')]
  const own = territories.filter((each) => each.country === country)
  const territory = own.find(({ postalCodes }) => codes.some((code) => postalCodes.test(code)))
  if (territory) return territory.place
  if (isInEuVatArea(country)) return { area: 'eu', country, ratePercentage: null }
  return lookUp(sharedTax, country) ?? { area: 'outside', country, ratePercentage: null }
}

/** In the same area, the tax does not change. */
export function isSamePlace(country: string, postalCode: string | null, other: string | null): boolean {
  const [a, b] = [placeOf(country, postalCode), placeOf(country, other)]
  return a.area === b.area && a.country === b.country && a.ratePercentage === b.ratePercentage
}
