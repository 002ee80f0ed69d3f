export interface PostalAddress {
  readonly streetAndNumber: string | null
  readonly streetAdditional: string | null
  readonly postalCode: string | null
  readonly city: string | null
  readonly region: string | null
}

/** Layouts (Universal Postal Union). A: street, Z: postal code, C: town, S: region, /: new line. */
const layouts = new Map(
  Object.entries({
    AU: 'A/C S Z',
    BR: 'A/C - S/Z',
    CA: 'A/C S Z',
    CN: 'A/C/S, Z',
    CO: 'A/C, S, Z',
    ES: 'A/Z C/S',
    GB: 'A/C/S/Z',
    GG: 'A/C/S/Z',
    GI: 'A/C/S/Z',
    HK: 'A/C/S/Z',
    HU: 'C/A/Z/S',
    ID: 'A/C/S Z',
    IE: 'A/C/S/Z',
    IL: 'A/C Z/S',
    IM: 'A/C/S/Z',
    IN: 'A/C Z/S',
    IT: 'A/Z C S',
    JE: 'A/C/S/Z',
    JP: 'A/C, S Z',
    KR: 'A/C/S/Z',
    LV: 'A/S/C, Z',
    MT: 'A/C Z/S',
    MX: 'A/Z C, S',
    NZ: 'A/C Z/S',
    PH: 'A/Z C/S',
    PR: 'A/C, S Z',
    SA: 'A/C Z/S',
    SG: 'A/C Z/S',
    TH: 'A/C/S Z',
    TR: 'A/Z C/S',
    TW: 'A/C, S Z',
    UA: 'A/C/S/Z',
    US: 'A/C, S Z',
    VN: 'A/C/S Z',
    ZA: 'A/C/S/Z',
  }),
)

const usual = 'A/Z C/S'

/** The lines of an address in the layout of its country (ISO 3166-1 alpha-2), without the name of the country. */
export function addressLines(address: PostalAddress, country: string | null): string[] {
  const { streetAndNumber, streetAdditional, postalCode, city, region } = address
  const parts: Readonly<Record<string, string | null>> = { Z: postalCode, C: city, S: region }
  return (layouts.get(country ?? '') ?? usual)
    .split('/')
    .flatMap((line) => (line === 'A' ? [streetAndNumber, streetAdditional] : [written(line, parts)]))
    .filter((line): line is string => Boolean(line))
}

/** Omits the separator between two parts if one part is missing. */
function written(line: string, parts: Readonly<Record<string, string | null>>): string {
  let text = ''
  let between = ''
  for (const piece of line.split(/([ZCS])/)) {
    if (!/^[ZCS]$/.test(piece)) between = piece
    else if (parts[piece]) text += (text && between) + parts[piece]
  }
  return text
}
