import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiDomain } from './domain.ts'
import { hasUserInfo, parseHttpUrl, parseUrl, percentDecoded } from './url.ts'

const href = (text: string) => parseHttpUrl(text)?.href ?? null

describe('HTTP URLs', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://SHOP.example:443/A?B#C', 'https://shop.example/A?B#C'],
    ['http://localhost:4000/done', 'http://localhost:4000/done'],
    ['https://bücher.example/ü?q=ü', 'https://xn--bcher-kva.example/%C3%BC?q=%C3%BC'],
    ['https://b%C3%BCcher.example/', 'https://xn--bcher-kva.example/'],
    ['https://ẞ.de/', 'https://xn--zca.de/'],
    ['https://shop.example./', 'https://shop.example./'],
    ['https://checkout_1.shop.example/', 'https://checkout_1.shop.example/'],
    ['https://ada:secret@shop.example/', 'https://ada:secret@shop.example/'],
    ['https://ada@evil@shop.example/', 'https://ada%40evil@shop.example/'],
    ['https://shop.example/@ada', 'https://shop.example/@ada'],
    ['https://shop.example?@ada', 'https://shop.example/?@ada'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://①②⑦.⓪.⓪.②/', 'https://127.0.0.2/'],
    ['https://shop.example/a^b?c^d#e^f', 'https://shop.example/a%5Eb?c^d#e^f'],
    ['https://[2001:DB8::1]:8443/', 'https://[2001:db8::1]:8443/'],
    ['https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
  ])('the HTTP URL %s is normalized to %s', (text, expected) => {
    expect(href(text)).toBe(expected)
  })

  it.each([
    '',
    'shop.example',
    '//shop.example',
    'https:',
    'https://',
    'https:///shop.example',
    'https:shop.example',
    'https://?a',
    'https://:443/',
    'ftp://shop.example/',
    'https://xn--a.com/',
    'https://xn--checkout_000000.example/',
    'https://a..b/',
    'https://shop.example../',
    'https://shop.example%40evil.example',
    'https://shop.example%2fevil.example',
    'https://shop.example%checkout',
    'https://%00',
    'https://%ff.example',
    'https://a*b.example/',
    "https://a'b.example/",
    'https://a;b.example/',
    'https://shop.1/',
    'https://1.2.3.4.5/',
    'https://shop.example:99999',
    'https://shop.example:port',
    'https://shop.example:80:80',
    'https://[::1',
    'https://[::1]evil.example/',
    'https://[shop.example]/',
    'https://a[b]/',
    'https://shop.example\\@evil.example',
    ' https://shop.example',
    'https://shop.example/a b',
    'https://shop\t.example',
    'https://shop.example/\n',
    'https://shop.example/\u0000',
    'https://shop.example/\u0085',
    'https://shop.example/\ud800',
    `https://${'b'.repeat(64)}.example`,
    'https://\u{1b4f}.example',
    'https://xn--dvf.example',
    'https://\u{2ebf0}.example',
  ])('%j is not accepted as an HTTP URL', (text) => {
    expect(href(text)).toBeNull()
  })

  it('Node.js parses a normalized HTTP URL to the same URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
        const found = href(text)
        if (found !== null) expect([href(found), new URL(found).href]).toEqual([found, found])
      }),
    )
  })

  it('Node.js accepts the ASCII form of every character that a host may contain', () => {
    const characters = fc.integer({ min: 0x80, max: 0x33_fff }).filter((code) => code < 0xd800 || code > 0xdfff)
    fc.assert(
      fc.property(characters, (code) => {
        const ascii = asciiDomain(`a${String.fromCodePoint(code)}`)
        if (ascii !== null) expect(href(`https://${ascii}`)).toBe(`https://${ascii}/`)
      }),
      { numRuns: 1_000 },
    )
  })

  it('repeated parsing of an HTTP URL gives the same result', () => {
    const answers = new Set(Array.from({ length: 50_000 }, () => href('https://b\u00fccher.example/')))
    expect([...answers]).toEqual(['https://xn--bcher-kva.example/'])
  })
})

it('parseUrl() accepts any URL and returns null for any other text', () => {
  expect(parseUrl('postgresql://a@b:5432/c')?.pathname).toBe('/c')
  expect(parseUrl('nothing')).toBeNull()
})

it.each([
  ['https://ada@shop.example', true],
  ['https://ada:secret@shop.example/', true],
  ['https://@shop.example/', true],
  ['https://:@shop.example/', true],
  ['https://shop.example/@ada', false],
  ['https://shop.example?ada@b', false],
  ['https://shop.example#ada@b', false],
  ['https://shop.example', false],
])('hasUserInfo(%j) is %s', (url, expected) => {
  expect(hasUserInfo(url)).toBe(expected)
})

it.each([
  ['a%20b', 'a b'],
  ['%C3%BC', 'ü'],
  ['%', null],
  ['%ff', null],
])('decoding the percent-encoded text %s gives %j', (text, expected) => {
  expect(percentDecoded(text)).toBe(expected)
})
