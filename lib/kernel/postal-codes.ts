import { lookUp } from './look-up.ts'

/**
 * Examples that show the formats of postal codes, by country (ISO 3166-1 alpha-2). Sources: Universal Postal Union and
 * national postal services. Postal codes of other countries are not checked.
 */
const examples: Readonly<Record<string, string>> = {
  AD: 'AD500',
  AL: '1001',
  AM: '0010',
  AR: 'C1070AAM/1070',
  AT: '1010',
  AU: '2600',
  AX: '22100',
  AZ: 'AZ1000/1000',
  BA: '71000',
  BD: '1000',
  BE: '1000',
  BG: '1000',
  BL: '97133',
  BR: '70040-010',
  BY: '220030',
  CA: 'K1A 0B1',
  CH: '3011',
  CL: '8320000',
  CN: '100000',
  CO: '110111',
  CR: '10101',
  CU: '10400',
  CY: '1010',
  CZ: '110 00',
  DE: '10115',
  DK: '1050',
  DO: '10101',
  DZ: '16000',
  EC: '170515',
  EE: '10111',
  EG: '11511',
  ES: '28001',
  ET: '1000',
  FI: '00100',
  FO: '100',
  FR: '75001',
  GB: 'SW1A 1AA/M1 1AE/B33 8TH/CR2 6XH/DN55 1PT/W1A 0AX',
  GE: '0105',
  GF: '97300',
  GG: 'GY1 1AA/GY10 1AA',
  GI: 'GX11 1AA',
  GL: '3900',
  GP: '97100',
  GR: '105 57',
  GT: '01001',
  HN: '11101',
  HR: '10000',
  HT: '6110',
  HU: '1011',
  ID: '10110',
  IE: 'D02 X285',
  IL: '9195016/91950',
  IM: 'IM1 1AA',
  IN: '110001',
  IQ: '10001',
  IR: '11369-12345',
  IS: '101',
  IT: '00184',
  JE: 'JE1 1AA',
  JO: '11110',
  JP: '100-0001',
  KE: '00100',
  KG: '720001',
  KH: '120101/12010',
  KR: '03051',
  KW: '13001',
  KZ: '010000',
  LA: '01000',
  LB: '2038 3054/1100',
  LI: '9490',
  LK: '00100',
  LT: '01100',
  LU: '1009',
  LV: 'LV-1050/1050',
  MA: '10000',
  MC: '98000',
  MD: 'MD-2001/2001',
  ME: '81000',
  MF: '97150',
  MG: '101',
  MK: '1000',
  MM: '11181',
  MN: '14200',
  MQ: '97200',
  MT: 'VLT 1117',
  MX: '06000',
  MY: '50000',
  NA: '10001',
  NC: '98800',
  NG: '900001',
  NI: '11001',
  NL: '1015 CS',
  NO: '0150',
  NP: '44600',
  NZ: '6011',
  OM: '100',
  PE: '15001',
  PF: '98714',
  PH: '1000',
  PK: '44000',
  PL: '00-001',
  PM: '97500',
  PR: '00901/00901-0001',
  PT: '1100-148',
  PY: '001001/1209',
  RE: '97400',
  RO: '010011',
  RS: '11000/110000',
  RU: '101000',
  SA: '11564/11564-1234',
  SE: '111 29',
  SG: '018956',
  SI: '1000',
  SK: '811 01',
  SM: '47890',
  SN: '10000',
  SV: '1101',
  TH: '10200',
  TJ: '734000',
  TM: '744000',
  TN: '1000',
  TR: '06100',
  TW: '100/10001/100001',
  UA: '01001',
  US: '20001/20001-0001',
  UY: '11000',
  UZ: '100000',
  VA: '00120',
  VE: '1010',
  VN: '100000/10000',
  WF: '98600',
  YT: '97600',
  ZA: '0001',
  ZM: '10101',
}

const special: Readonly<Record<string, RegExp>> = {
  // The routing key of an Eircode can end in W, and the identifier mixes letters and digits.
  IE: /^[A-Z]\d[\dW][\dA-Z]{4}$/,
  // New codes of Kazakhstan mix letters and digits.
  KZ: /^(\d{6}|[A-Z]\d{2}[A-Z]\d[A-Z]\d)$/,
}

/** Countries without postal codes. Source: Universal Postal Union. */
const without = new Set(
  `AE AG AO AW BF BI BJ BO BQ BS BV BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK KI KM KN KP LY ML MO MR MW
  NR NU QA RW SB SC SL SR ST SX SY TD TF TG TK TL TO TV UG VU YE ZW`.split(/\s+/),
)

/** Whether addresses in the country have postal codes. True for an unknown country. */
export const hasPostalCodes = (country: string): boolean => !without.has(country)

export const postalCodeExample = (country: string): string | null => lookUp(examples, country)?.split('/')[0] ?? null

/** Accepts lower case, spaces, hyphens, and a prefix such as `D-`. Accepts any code of a country without an example. */
export function fitsPostalCode(code: string, country: string): boolean {
  const own = lookUp(special, country)
  const shapes = own ? [own] : (lookUp(examples, country)?.split('/') ?? []).map(shapeOf)
  if (shapes.length === 0) return true
  const written = code.toUpperCase()
  const withoutPrefix = written.replace(/^[A-Z]{1,2}\s*[-–]\s*(?=\d)/, '')
  return [written, withoutPrefix].some((each) => shapes.some((shape) => shape.test(bare(each))))
}

/** The digits of a postal code such as `AX 22100`, for countries whose postal codes have only digits. */
export const digitsOfPostalCode = (code: string): string => plainPostalCode(code).replace(/^[A-Z]{1,2}(?=\d)/, '')

export const plainPostalCode = (code: string): string => bare(code.toUpperCase())

const bare = (code: string) => code.replaceAll(/[\s.–-]/g, '')

const shapeOf = (example: string) =>
  new RegExp(`^${bare(example).replaceAll(/[A-Z]/g, '[A-Z]').replaceAll(/\d/g, '\\d')}$`)
