/**
 * The form in which a tax ID is checked, stored and shown: NFKC, without separators and invisible characters. Capitals
 * are not changed. A Belgian number of nine digits (until 2007) gets its leading zero. Empty if nothing is left.
 */
export function cleanTaxId(typed: string): string {
  // A removed character can leave letters that compose with each other.
  const plain = typed.normalize('NFKC').replace(separators, '').normalize('NFKC')
  return plain.replace(oldBelgian, (_, prefix: string, digits: string) => `${prefix}0${digits}`)
}

/** Also the blank Braille pattern, minus signs, other scripts' dots, and slashes and colons that NFKC keeps. */
const separators =
  /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\p{Pd}\u2212\u2043\u02d7.\u00b7\u2022\u2219\u22c5\u3002\u30fb/\\\u2044\u2215\u29f8:\u2236\ua789()]/gu

const oldBelgian = /^(BE)(\d{9})$/i
