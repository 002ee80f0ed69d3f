import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanTaxId } from './tax-id.ts'

describe('cleaned tax IDs', () => {
  test.each([
    ['a left-to-right mark', '\u200eDE136695976'],
    ['a zero-width space', 'DE136695976\u200b'],
    ['an embedded direction', '\u202aDE136695976\u202c'],
    ['an isolated direction', '\u2066DE136695976\u2069'],
    ['a word joiner', '\u2060DE136695976'],
    ['a byte order mark', '\ufeffDE136695976'],
    ['a soft hyphen', 'DE136\u00ad695976'],
    ['a variation selector', 'DE136695976\ufe0f'],
    ['control characters', '\u0000DE136695976\u007f\u0085'],
    ['a tab and a line end', '\tDE136695976\r\n'],
    ['a no-break space', 'DE\u00a0136\u00a0695\u00a0976'],
    ['narrow and wide spaces', 'DE\u202f136\u2009695\u3000976'],
    ['a Hangul filler and a blank Braille pattern', 'DE\u3164136695976\u2800'],
    ['a hyphen', 'DE-136-695-976'],
    ['a non-breaking hyphen', 'DE\u2011136695976'],
    ['an en dash', 'DE\u2013136695976'],
    ['an em dash', 'DE\u2014136695976'],
    ['a minus sign', 'DE\u2212136695976'],
    ['dots', 'DE.136.695.976'],
    ['middle dots and bullets', 'DE\u00b7136\u2022695\u30fb976'],
    ['an ideographic full stop', 'DE\u3002136695976'],
    ['slashes', 'DE/136/695\\976'],
    ['slashes of fractions', 'DE\u2044136\u2215695976'],
    ['colons', 'DE:136695976'],
    ['colons of other scripts', 'DE\uff1a136\u2236695\ua789976'],
    ['parentheses', 'DE(136)695976'],
    ['full-width parentheses', 'DE\uff08136\uff09695976'],
    ['full-width letters and digits', '\uff24\uff25\uff11\uff13\uff16\uff16\uff19\uff15\uff19\uff17\uff16'],
    ['mathematical letters and digits', '\ud835\udc03\ud835\udc04\ud835\udfcf36695976'],
  ])('cleanTaxId() removes or converts %s', (_, typed) => {
    expect(cleanTaxId(typed)).toBe('DE136695976')
  })

  test.each([
    ['BE 428.759.497', 'BE0428759497'],
    ['BE (0)428.759.497', 'BE0428759497'],
    ['be428759497', 'be0428759497'],
    ['BE1000000021', 'BE1000000021'],
    ['NL123456789', 'NL123456789'],
    ['428759497', '428759497'],
  ])('cleanTaxId() adds a leading zero only to a Belgian number of nine digits: %s becomes %s', (typed, cleaned) => {
    expect(cleanTaxId(typed)).toBe(cleaned)
  })

  test.each(['DE136695976', 'de136695976', 'IE8D79739I', 'IE1+23456A', 'NL*23456789B01', '12_3', 'ΑΦΜ094259216', ''])(
    'cleanTaxId() does not change %j',
    (typed) => {
      expect(cleanTaxId(typed)).toBe(typed)
    },
  )

  test('cleanTaxId() returns an empty text for a text of separators', () => {
    expect(cleanTaxId(' \u200b-\u2013.()/: ')).toBe('')
  })

  test('cleanTaxId() does not change a cleaned tax ID', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 })
    fc.assert(
      fc.property(text, (typed) => cleanTaxId(cleanTaxId(typed)) === cleanTaxId(typed)),
      { numRuns: 2000 },
    )
  })
})
