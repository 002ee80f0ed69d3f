import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redirectUrlProblem, withCheckoutId } from './redirect-url.ts'

const id = 'checkout_0000000000000000000001'

describe('a redirect URL', () => {
  it.each([
    'https://shop.example/thanks?checkout={CHECKOUT_ID}',
    'http://localhost:4000/done',
    'https://{CHECKOUT_ID}.shop.example/',
    'https://shop.example/{CHECKOUT_ID}/{CHECKOUT_ID}#{CHECKOUT_ID}',
    'HTTPS://SHOP.example',
    'https://shop.example/@ada',
    `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`,
  ])('the redirect URL %s is accepted', (url) => {
    expect(redirectUrlProblem(url)).toBeNull()
  })

  it.each([
    '',
    'shop.example',
    '/thanks',
    '//shop.example/thanks',
    'javascript:alert(1)',
    'data:text/html,hello',
    'ftp://shop.example/',
    'https:/shop.example',
    'https:shop.example',
    'https://',
    'https://ada:secret@shop.example/',
    'https://@shop.example/',
    'https://xn--{CHECKOUT_ID}.example',
    'https://shop.example@evil.example/',
    'https://shop.example\\@evil.example/',
    'https:\\\\shop.example/',
    ' https://shop.example/',
    'https://shop.example/a b',
    'https://shop.example/\nSet-Cookie:a=b',
    'https://shop.example/\u0000',
    'https://shop.example/\ud800',
    'java\tscript:alert(1)',
    `https://shop.example/${'a'.repeat(2048)}`,
    `https://shop.example/${'ä'.repeat(1020)}`,
  ])('the redirect URL %j is refused', (url) => {
    expect(redirectUrlProblem(url)?.rule).toMatch(/^(web_url|bytes_at_most)$/)
  })

  it('after a checkout id is inserted, an accepted redirect URL still has an HTTP scheme and no user name or password', () => {
    const urls = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string())
    fc.assert(
      fc.property(urls, fc.nat(), (url, place) => {
        const at = place % (url.length + 1)
        const withPlaceholder = `${url.slice(0, at)}{CHECKOUT_ID}${url.slice(at)}`
        fc.pre(redirectUrlProblem(withPlaceholder) === null)
        const target = new URL(withCheckoutId(withPlaceholder, id))
        expect(target.protocol).toMatch(/^https?:$/)
        expect(target.username + target.password).toBe('')
      }),
    )
  })

  it('inserting a checkout id after the host name of an accepted redirect URL does not change the host', () => {
    const urls = fc.webUrl({ withQueryParameters: true, withFragments: true })
    const afterHost = fc.constantFrom('/', '?', '#', '/@', '/\\', '//', '/..//')
    fc.assert(
      fc.property(urls, afterHost, fc.string(), (url, mark, rest) => {
        const { origin } = new URL(url)
        const withPlaceholder = `${origin}${mark}{CHECKOUT_ID}${rest}`
        fc.pre(redirectUrlProblem(withPlaceholder) === null)
        expect(new URL(withCheckoutId(withPlaceholder, id)).origin).toBe(origin)
      }),
    )
  })

  it('inserting a checkout id into the host name of a redirect URL does not change the rest of the host name', () => {
    expect(new URL(withCheckoutId('https://{CHECKOUT_ID}.shop.example/', id)).host).toBe(`${id}.shop.example`)
  })

  it('every placeholder in a redirect URL is replaced by the checkout id', () => {
    const filled = `https://shop.example/${id}?a=${id}#${id}`
    expect(withCheckoutId('https://shop.example/{CHECKOUT_ID}?a={CHECKOUT_ID}#{CHECKOUT_ID}', id)).toBe(filled)
  })
})

it('checking the same redirect URL repeatedly gives the same result', () => {
  const url = 'https://b\u00fccher.example/'
  const answers = new Set(Array.from({ length: 50_000 }, () => redirectUrlProblem(url)))
  expect([...answers]).toEqual([null])
})
