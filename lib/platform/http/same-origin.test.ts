import { describe, expect, it } from 'vitest'
import { isOtherSite, isSameOrigin } from './same-origin.ts'

const own = 'https://pay.example'
const with_ = (headers: Record<string, string>) => new Headers({ host: 'pay.example', ...headers })

describe('forms with a session', () => {
  it.each([
    ['a browser that hides the referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['a browser that names the origin', { origin: own, 'sec-fetch-site': 'same-origin' }],
    ['an older browser', { origin: own }],
    ['a browser at another address of this service', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
  ])('a form with a session is accepted from %s', (_, headers) => {
    expect(isSameOrigin(with_(headers), own)).toBe(true)
  })

  it.each([
    ['without an origin', {}],
    ['without an origin, whatever its other headers say', { 'sec-fetch-site': 'same-origin' }],
    ['from an older browser that hides the origin', { origin: 'null' }],
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from another site in an older browser', { origin: 'https://evil.example' }],
    ['from a sibling domain', { origin: 'https://shop.pay.example', 'sec-fetch-site': 'same-site' }],
    ['from a sandboxed frame of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['for a request that was typed into the address bar', { origin: 'null', 'sec-fetch-site': 'none' }],
    [
      'with a forged site header and another origin',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('a form with a session is refused %s', (_, headers) => {
    expect(isSameOrigin(with_(headers), own)).toBe(false)
  })
})

describe('forms without a session', () => {
  it.each([
    ['a browser', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['an older browser', { origin: own }],
    ['an older browser that hides the origin', { origin: 'null' }],
    ['a program', {}],
  ])('a form without a session is accepted from %s', (_, headers) => {
    expect(isOtherSite(with_(headers), own)).toBe(false)
  })

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site that hides the origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { origin: 'https://shop.pay.example', 'sec-fetch-site': 'same-site' }],
    ['another site in an older browser', { origin: 'https://evil.example' }],
  ])('a form without a session is refused from %s', (_, headers) => {
    expect(isOtherSite(with_(headers), own)).toBe(true)
  })
})
