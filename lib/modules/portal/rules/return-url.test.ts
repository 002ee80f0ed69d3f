import { describe, expect, it } from 'vitest'
import { returnUrlProblem } from './return-url.ts'

const base = 'https://shop.example/'

describe('the return URL of a portal session', () => {
  it.each([
    base,
    'https://shop.example',
    'https://müller.example/konto?tab=1#top',
    base + 'a'.repeat(2048 - base.length),
  ])('the return URL of a portal session may be %s', (url) => {
    expect(returnUrlProblem(url)).toBeNull()
  })

  it.each([
    'http://shop.example/',
    '/account',
    '//shop.example/',
    'shop.example',
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://ada@shop.example/',
    'https://ada:secret@shop.example/',
    'https://@shop.example/',
    'https://',
    'https://shop.example/a b',
    ' https://shop.example/',
    'https:\\\\shop.example',
  ])('the return URL of a portal session may not be %j', (url) => {
    expect(returnUrlProblem(url)).toBe('Must be an absolute https URL without credentials.')
  })

  it('the return URL of a portal session has at most 2,048 bytes', () => {
    expect(returnUrlProblem(base + 'a'.repeat(2049 - base.length))).toBe('Must have at most 2048 bytes.')
    expect(returnUrlProblem(base + 'ü'.repeat(1020))).toBe('Must have at most 2048 bytes.')
  })
})
