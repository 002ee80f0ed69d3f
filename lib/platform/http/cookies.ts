/** Null if the cookie was not sent. */
export function cookieOf(header: string | null, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}

/**
 * Scripts cannot read the cookie. With the prefix `__Host-` the browser accepts it only over TLS (or from localhost)
 * and sends it to no other host. `Lax`: the browser sends it when a link of another site leads here, but not with a
 * form of another site. `Strict`: with neither.
 */
export const sessionCookie = (name: `__Host-${string}`, value: string, sameSite: 'Lax' | 'Strict' = 'Lax'): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}`

export const endedCookie = (name: `__Host-${string}`): string => `${sessionCookie(name, '')}; Max-Age=0`
