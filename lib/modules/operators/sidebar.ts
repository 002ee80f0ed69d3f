import { cookieOf, sessionCookie } from '../../platform/http/cookies.ts'

const cookie = '__Host-billhook_sidebar'
const parameter = 'sidebar'
const yearSeconds = 365 * 24 * 60 * 60

export const showsIcons = (cookies: string | null): boolean => cookieOf(cookies, cookie) === 'icons'

/**
 * Returns the URL without `?sidebar=icons` or `?sidebar=full`, and the `set-cookie` value that stores this choice. Returns null for a URL without this
 * parameter.
 */
export function chosenSidebar(path: string, search: string): { to: string; cookie: string } | null {
  const parameters = new URLSearchParams(search)
  const choice = parameters.get(parameter)
  if (choice !== 'icons' && choice !== 'full') return null
  parameters.delete(parameter)
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return { to: `${path}${query}`, cookie: `${sessionCookie(cookie, choice)}; Max-Age=${yearSeconds}` }
}
