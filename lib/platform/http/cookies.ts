export function cookieOf(header: string | null, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}

/**
 * The prefix `__Host-` limits the cookie to TLS and to this host. `Lax` is needed where a link on another site, such as
 * a web mailer, leads to a page with a session.
 */
export const sessionCookie = (name: `__Host-${string}`, value: string, sameSite: 'Lax' | 'Strict' = 'Lax'): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}`

export const endedCookie = (name: `__Host-${string}`): string => `${sessionCookie(name, '')}; Max-Age=0`
