/** The value of a cookie, from a request's `cookie` header. Null if it was not sent. */
export function cookieOf(header: string | null, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}

/**
 * The `set-cookie` header of a browser session. Scripts cannot read the cookie. Because of the prefix `__Host-` in its
 * name, the browser accepts it only over TLS (or from localhost) and sends it to no other host. `Lax`: the browser
 * sends it when a link of another site leads here, as from a payment provider, but not with a form of another site.
 * `Strict`: with neither.
 */
export const sessionCookie = (name: `__Host-${string}`, value: string, sameSite: 'Lax' | 'Strict' = 'Lax'): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}`

/** The `set-cookie` header that removes the cookie. */
export const endedCookie = (name: `__Host-${string}`): string => `${sessionCookie(name, '')}; Max-Age=0`
