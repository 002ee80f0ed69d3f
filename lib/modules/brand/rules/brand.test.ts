import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../kernel/refusal.ts'
import { checkFields, type FieldChanges } from './brand.ts'

const longUrl = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`

describe('brand fields', () => {
  it.each<[FieldChanges, object]>([
    [{ displayName: '  Lumen & Söhne ' }, { displayName: 'Lumen & Söhne' }],
    [{ displayName: 'Ä'.repeat(255) }, { displayName: 'Ä'.repeat(255) }],
    [{ displayName: '</style><script>' }, { displayName: '</style><script>' }],
    [{ accent: '#2746C7' }, { accent: '#2746c7' }],
    [{ supportEmail: ' Help@Lumen.Example ' }, { supportEmail: 'help@lumen.example' }],
    [{ supportUrl: 'https://lumen.example/help?a=1#b' }, { supportUrl: 'https://lumen.example/help?a=1#b' }],
    [{ termsUrl: 'https://bücher.example' }, { termsUrl: 'https://xn--bcher-kva.example/' }],
    [{ privacyUrl: longUrl(2048) }, { privacyUrl: longUrl(2048) }],
  ])('the brand fields %j are accepted', (changes, fields) => {
    expect(checkFields(changes)).toEqual({ fields, problems: {} })
  })

  it.each([
    ['displayName', 'a'.repeat(256), '255 characters'],
    ['displayName', '\u200b', 'of them visible'],
    ['displayName', 'a\u0000b', '255 characters'],
    ['displayName', 'a\nb', 'on one line'],
    ['displayName', '\u202egnp.exe', 'on one line'],
    ['displayName', 'a\ud800', '255 characters'],
    ['accent', '#ffcc00', '4.5:1'],
    ['accent', 'red;}*{display:none', '#rrggbb'],
    ['supportEmail', 'help', 'email address'],
    ['supportEmail', 'a@b.example?subject=x', 'email address'],
    ['supportUrl', 'http://lumen.example/', 'https'],
    ['supportUrl', 'javascript:alert(1)', 'https'],
    ['supportUrl', 'https://user:secret@lumen.example/', 'user name'],
    ['termsUrl', '/terms', 'https'],
    ['termsUrl', 'https://', 'https'],
    ['privacyUrl', longUrl(2049), '2,048 characters'],
    ['privacyUrl', 'data:text/html,x', 'https'],
  ])('the brand field %s is refused with the value %j', (field, text, rule) => {
    const { fields, problems } = checkFields({ [field]: text })
    expect(fields).toEqual({})
    expect(sentencesOf(problems)).toEqual({ [field]: [expect.stringContaining(rule)] })
  })

  it.each(['', '  '])('the value %j clears a brand field', (text) => {
    expect(checkFields({ accent: text, termsUrl: text })).toEqual({
      fields: { accent: null, termsUrl: null },
      problems: {},
    })
  })

  it('a brand field is not changed if it is missing from the request', () => {
    expect(checkFields({})).toEqual({ fields: {}, problems: {} })
    expect(checkFields({ accent: undefined })).toEqual({ fields: {}, problems: {} })
  })

  it('all invalid brand fields are reported together', () => {
    const { problems } = checkFields({ accent: 'x', supportEmail: 'x', termsUrl: 'x', displayName: 'Lumen' })
    expect(Object.keys(problems).sort()).toEqual(['accent', 'supportEmail', 'termsUrl'])
  })
})
