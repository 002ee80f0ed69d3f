import { busyPage } from '@/lib/platform/http/busy-page.ts'
import { cookieOf } from '@/lib/platform/http/cookies.ts'
import { portalCookie } from '@/lib/workflows/portal/hosted.ts'
import { countForm } from './form-limits.ts'

/** Pages that look something up before they know their reader: those of the portal, and that of a withdrawal. */
const limited = /^\/(portal(?:\/(?:link|email-change|sign-in)(?=\/))?|withdrawal)(?:\/([^/]*)|$)/

/**
 * Counts a page of the portal, by its link or its session and by the address, which are all that a flood has to change. A
 * page that everybody shares is counted by address alone. Returns the response to one too many; null to go on.
 */
export async function limitPage(request: Request): Promise<Response | null> {
  const [, page, token = ''] = limited.exec(new URL(request.url).pathname) ?? []
  if (page === undefined) return null
  return limitAsked(request, 'page', page === 'portal' ? sessionOf(request) : isShared(page) ? null : token)
}

/** The same for a file of a session, which is drawn as it is asked for. */
export const limitFile = (request: Request): Promise<Response | null> => limitAsked(request, 'file', sessionOf(request))

const isShared = (page: string) => page === 'portal/sign-in'

const sessionOf = (request: Request) => cookieOf(request.headers.get('cookie'), portalCookie)

async function limitAsked(request: Request, asked: 'page' | 'file', counted: string | null): Promise<Response | null> {
  const seconds = countForm(asked, 'portal', counted, request)
  if (seconds === null) return null
  return busyPage(429, { seconds, acceptLanguage: request.headers.get('accept-language') })
}
