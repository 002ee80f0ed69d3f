import { hostedLink, particularsOf } from '@/lib/kernel/hosted-pages.ts'
import { busyPage } from '@/lib/platform/http/busy-page.ts'
import { cookieOf } from '@/lib/platform/http/cookies.ts'
import { portalCookie } from '@/lib/workflows/portal/load-portal.ts'
import { countForm } from './form-limits.ts'

/**
 * Counts a page that looks something up before it knows its reader, by its link or its session and by the address, which
 * are all that a flood has to change. A page that everybody shares is counted by address alone. Returns the response to
 * one too many; null to go on.
 */
export async function limitPage(request: Request): Promise<Response | null> {
  const path = new URL(request.url).pathname
  const link = hostedLink(path)
  if (!link) return /^\/portal(?:\/|$)/.test(path) ? limitAsked(request, 'page', sessionOf(request)) : null
  const { isLimited, isShared } = particularsOf(link.page)
  return isLimited ? limitAsked(request, 'page', isShared ? null : link.token) : null
}

/** The same for a file of a session, which is drawn as it is asked for. */
export const limitFile = (request: Request): Promise<Response | null> => limitAsked(request, 'file', sessionOf(request))

const sessionOf = (request: Request) => cookieOf(request.headers.get('cookie'), portalCookie)

async function limitAsked(request: Request, asked: 'page' | 'file', counted: string | null): Promise<Response | null> {
  const seconds = countForm(asked, 'portal', counted, request)
  if (seconds === null) return null
  return busyPage(429, { seconds, acceptLanguage: request.headers.get('accept-language') })
}
