import { lookUp } from '../../../kernel/look-up.ts'
import { digitsOfPostalCode, plainPostalCode } from '../../../kernel/postal-codes.ts'
import { isInEuVatArea } from './eu.ts'

export type Place =
  /** The rate of a region; null if the country's standard rate applies. */
  | { readonly area: 'eu'; readonly country: string; readonly ratePercentage: string | null }
  /** `country` is the country whose registration is needed; null if the service knows no tax here. */
  | { readonly area: 'outside'; readonly country: string | null; readonly ratePercentage: string | null }

interface Territory {
  /** The country of the address, ISO 3166-1 alpha-2. */
  readonly country: string
  readonly name: string
  /** Matches postal codes in capitals and without blanks. Numeric codes are matched without a country prefix. */
  readonly postalCodes: RegExp
  readonly place: Place
}

/**
 * `country` is the territory's own ISO 3166-1 code. An address in the territory can instead name the country to which
 * the territory belongs.
 */
const outside = (country: string): Place => ({ area: 'outside', country, ratePercentage: null })
const untaxed: Place = { area: 'outside', country: null, ratePercentage: null }
/** France taxes Guadeloupe, Martinique, and Réunion outside the VAT directive and the One Stop Shop. */
const frenchOverseas: Place = { area: 'outside', country: 'FR', ratePercentage: '8.5' }

/**
 * Sources. Exclusion from EU VAT: Directive 2006/112/EC, art. 6, and European Commission, "Territorial status of EU countries and certain territories". Rates
 * of Madeira and the Azores: eu-vat-rates-data of 2026-08-22 (from TEDB; the older list ibericode/vat-rates states 18 % for the Azores). French overseas
 * departments: Code général des impôts, art. 294 and 296. Northern Ireland has no entry, because it is in the EU's VAT area for goods only.
 */
const territories: readonly Territory[] = [
  { country: 'ES', name: 'Canary Islands', postalCodes: /^(35|38)\d{3}$/, place: untaxed },
  { country: 'ES', name: 'Ceuta', postalCodes: /^51\d{3}$/, place: untaxed },
  { country: 'ES', name: 'Melilla', postalCodes: /^52\d{3}$/, place: untaxed },
  { country: 'IT', name: 'Livigno', postalCodes: /^23041$/, place: untaxed },
  { country: 'IT', name: "Campione d'Italia", postalCodes: /^22061$/, place: untaxed },
  { country: 'DE', name: 'Büsingen', postalCodes: /^78266$/, place: untaxed },
  { country: 'DE', name: 'Heligoland', postalCodes: /^27498$/, place: untaxed },
  // Greenland and the Faroe Islands are not in the EU (Treaty on European Union, art. 52; Treaty on the Functioning of
  // the European Union, art. 355). San Marino and the Vatican are not in the EU either, but have Italian postal codes.
  { country: 'DK', name: 'Greenland', postalCodes: /^39\d{2}$/, place: outside('GL') },
  { country: 'DK', name: 'Faroe Islands', postalCodes: /^(FO)?\d{3}$/, place: outside('FO') },
  { country: 'IT', name: 'San Marino', postalCodes: /^4789\d$/, place: outside('SM') },
  { country: 'IT', name: 'Vatican City', postalCodes: /^00120$/, place: outside('VA') },
  // Jersey, Guernsey, and Gibraltar are outside the VAT of the United Kingdom (Value Added Tax Act 1994, s. 96).
  // Svalbard and Jan Mayen are outside the VAT of Norway (merverdiavgiftsloven, § 1-2).
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
  // These islands have postal codes of Guadeloupe, but taxes of their own (Code général des collectivités territoriales, art. LO 6214-4 and LO 6314-4).
  { country: 'FR', name: 'Saint-Barthélemy, Saint-Martin', postalCodes: /^(97133|97150)$/, place: untaxed },
  { country: 'FR', name: 'Guadeloupe, Martinique, Réunion', postalCodes: /^97[124]\d{2}$/, place: frenchOverseas },
  { country: 'FR', name: 'French overseas without VAT', postalCodes: /^(97[35-9]|98[6-8])\d{2}$/, place: untaxed },
]

/** ISO 3166-1 country codes of places where the rate and the registration of another country apply. */
const sharedTax: Readonly<Record<string, Place>> = {
  GP: frenchOverseas,
  MQ: frenchOverseas,
  RE: frenchOverseas,
  IM: { area: 'outside', country: 'GB', ratePercentage: null },
  LI: { area: 'outside', country: 'CH', ratePercentage: null },
}

/** Monaco is treated as France (Directive 2006/112/EC, art. 7). The Isle of Man shares a VAT area with the United Kingdom (Isle of Man Act 1979, s. 6). */
export const vatCountry = (country: string): string => lookUp(vatCountries, country) ?? country

const vatCountries: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' }

/** Territories with their own country code, and the country to which address lists assign them. */
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

/** A territory counts as equal to its country here, because an address or a bank can name the country instead. */
export const isSameTaxCountry = (a: string, b: string): boolean => (lookUp(partOf, a) ?? a) === (lookUp(partOf, b) ?? b)

export function placeOfSupply(country: string, postalCode: string | null): Place {
  const codes = [plainPostalCode(postalCode ?? ''), digitsOfPostalCode(postalCode ?? '')]
  const own = territories.filter((each) => each.country === country)
  const territory = own.find(({ postalCodes }) => codes.some((code) => postalCodes.test(code)))
  if (territory) return territory.place
  if (isInEuVatArea(country)) return { area: 'eu', country, ratePercentage: null }
  return lookUp(sharedTax, country) ?? { area: 'outside', country, ratePercentage: null }
}

export function isSamePlace(country: string, postalCode: string | null, other: string | null): boolean {
  const [a, b] = [placeOfSupply(country, postalCode), placeOfSupply(country, other)]
  return a.area === b.area && a.country === b.country && a.ratePercentage === b.ratePercentage
}
