import { cookieOf, sessionCookie } from '../../platform/http/cookies.ts'

interface Place {
  readonly mode: string
  readonly storefrontId: string
}

const cookie = '__Host-billhook_place'
const form = /^\/admin\/(test|live)\/(storefront_[0-9A-Za-z]{22})(?:\/|$)/

/** The storefront and mode in the path of an admin page. Null for pages that belong to no storefront. */
function placeIn(path: string): Place | null {
  const [, mode, storefrontId] = form.exec(path) ?? []
  return mode && storefrontId ? { mode, storefrontId } : null
}

/** The storefront and mode that the browser opened last. The caller must check the permission. */
export const lastPlace = (cookies: string | null): Place | null => placeIn(cookieOf(cookies, cookie) ?? '')

/** The `set-cookie` header that remembers the storefront of a page; null if there is nothing new to remember. */
export function rememberedPlace(path: string, cookies: string | null): string | null {
  const place = placeIn(path)
  if (!place) return null
  const value = `/admin/${place.mode}/${place.storefrontId}`
  return cookieOf(cookies, cookie) === value ? null : sessionCookie(cookie, value)
}
