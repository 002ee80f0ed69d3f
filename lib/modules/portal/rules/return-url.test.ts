import { describe, expect, it } from 'vitest'
import { returnUrlProblem } from './return-url.ts'

const base = 'https://shop.example/'

describe('return URLs', () => {
  it.each([
    base,
    'https://shop.example',
    'https://müller.example/konto?tab=1#top',
    base + 'a'.repeat(2048 - base.length),
  ])('a portal session accepts the return URL %s', (url) => {
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
  ])('a portal session refuses the return URL %j', (url) => {
    expect(returnUrlProblem(url)).toBe('Must be an absolute https URL without credentials.')
  })

  it('a portal session refuses a return URL of more than 2,048 bytes', () => {
    expect(returnUrlProblem(base + 'a'.repeat(2049 - base.length))).toBe('Must have at most 2048 bytes.')
    expect(returnUrlProblem(base + 'ü'.repeat(1020))).toBe('Must have at most 2048 bytes.')
  })
})
