import { describe, expect, it } from 'vitest'
import { cookieOf, endedCookie, sessionCookie } from './cookies.ts'

describe('cookies', () => {
  it.each([
    ['__Host-a=1', '1'],
    ['x=0; __Host-a=1; y=2', '1'],
    ['__Host-a=a=b', 'a=b'],
    ['__Host-a=', ''],
    ['x__Host-a=1; __Host-ab=2', null],
    ['', null],
    [null, null],
  ])('the value of the cookie __Host-a in the header %j is %j', (header, value) => {
    expect(cookieOf(header, '__Host-a')).toBe(value)
  })

  it('the session cookie is HttpOnly, Secure, and SameSite=Lax', () => {
    expect(sessionCookie('__Host-a', 'v')).toBe('__Host-a=v; Path=/; Secure; HttpOnly; SameSite=Lax')
    expect(endedCookie('__Host-a')).toBe('__Host-a=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0')
  })
})
