import { hostedLink, particularsOf } from '@/lib/kernel/hosted-pages.ts'
import { busyPage } from '@/lib/platform/http/busy-page.ts'
import { cookieOf } from '@/lib/platform/http/cookies.ts'
import { portalCookie } from '@/lib/workflows/portal/load-portal.ts'
import { countForm } from '../form-limits.ts'

/** Limits requests for portal pages, and for hosted pages that have `isLimited` set. Returns null, or a 429 response above the limit. */
export async function limitPage(request: Request): Promise<Response | null> {
  const path = new URL(request.url).pathname
  const link = hostedLink(path)
  if (!link) return /^\/portal(?:\/|$)/.test(path) ? limitAsked(request, 'page', sessionOf(request)) : null
  const { isLimited, isShared } = particularsOf(link.page)
  return isLimited ? limitAsked(request, 'page', isShared ? null : link.token) : null
}

export const limitFile = (request: Request): Promise<Response | null> => limitAsked(request, 'file', sessionOf(request))

const sessionOf = (request: Request) => cookieOf(request.headers.get('cookie'), portalCookie)

async function limitAsked(request: Request, asked: 'page' | 'file', counted: string | null): Promise<Response | null> {
  const seconds = countForm(asked, 'portal', counted, request)
  if (seconds === null) return null
  return busyPage(429, { seconds, acceptLanguage: request.headers.get('accept-language') })
}
