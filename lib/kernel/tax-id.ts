/**
 * The form in which a tax ID is checked, stored, and shown: NFKC, without separators and invisible characters, in its
 * original letter case. A Belgian number of nine digits (issued until 2007) gets a leading zero.
 */
export function cleanTaxId(typed: string): string {
  // The second normalization is necessary, because the neighbors of a removed character can compose into one letter.
  const plain = typed.normalize('NFKC').replace(separators, '').normalize('NFKC')
  return plain.replace(oldBelgian, (_, prefix: string, digits: string) => `${prefix}0${digits}`)
}

/** The separators include the blank Braille pattern, and variants of hyphens, dots, slashes, and colons that NFKC does not convert to ASCII. */
const separators =
  /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\p{Pd}\u2212\u2043\u02d7.\u00b7\u2022\u2219\u22c5\u3002\u30fb/\\\u2044\u2215\u29f8:\u2236\ua789()]/gu

const oldBelgian = /^(BE)(\d{9})$/i
