import { cookieOf, sessionCookie } from '../../platform/http/cookies.ts'

interface Place {
  readonly mode: string
  readonly storefrontId: string
}

const cookie = '__Host-billhook_place'
const form = /^\/admin\/(test|live)\/(storefront_[0-9A-Za-z]{22})(?:\/|$)/

function placeIn(path: string): Place | null {
  const [, mode, storefrontId] = form.exec(path) ?? []
  return mode && storefrontId ? { mode, storefrontId } : null
}

/** The caller must check that the person may open the returned storefront. */
export const lastPlace = (cookies: string | null): Place | null => placeIn(cookieOf(cookies, cookie) ?? '')

export function rememberedPlace(path: string, cookies: string | null): string | null {
  const place = placeIn(path)
  if (!place) return null
  const value = `/admin/${place.mode}/${place.storefrontId}`
  return cookieOf(cookies, cookie) === value ? null : sessionCookie(cookie, value)
}
