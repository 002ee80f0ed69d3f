import { type NextRequest, NextResponse } from 'next/server'
import { askAgain } from '@/app/(admin)/admin/again.ts'
import { limitPage } from '@/app/(hosted)/page-limits.ts'
import { type HostedPage, hostedLink, leavesSite } from '@/lib/kernel/hosted-pages.ts'
import { invoiceStatus } from '@/lib/modules/invoices/hosted.ts'
import { mayLackCookie, wantedPage, wayIn, withWanted } from '@/lib/modules/operators/hosted.ts'
import { pageUrl } from '@/lib/platform/http/links.ts'
import { contentSecurityPolicy } from '@/lib/platform/http/page-policy.ts'
import { within } from '@/lib/platform/within.ts'
import { plainHttpPaymentOrigins } from '@/lib/providers/index.ts'
import { billingUpdateOrigins, billingUpdateStatus } from '@/lib/workflows/billing-update/hosted.ts'
import { emailChangeStatus } from '@/lib/workflows/email-change/hosted.ts'
import { invoiceUpdateStatus } from '@/lib/workflows/invoice-update/hosted.ts'
import { invitationStatus } from '@/lib/workflows/members/hosted.ts'
import { passwordStatus } from '@/lib/workflows/password-reset/hosted.ts'
import { portalStatus } from '@/lib/workflows/portal/hosted.ts'
import { portalLinkStatus, portalSignInStatus } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { checkoutOrigins, checkoutStatus } from '@/lib/workflows/sale/hosted.ts'
import { paymentOrigins, paymentStatus } from '@/lib/workflows/test-payment-page/hosted.ts'
import { withdrawalStatus } from '@/lib/workflows/withdrawal/hosted.ts'

/**
 * Pages, those of paths that lead nowhere too. Not `/v1`, which has no pages, nor what pages load or send their forms to. Next
 * reads the text without running it, so that it cannot be put together from a table: scripts/page-paths.test.ts holds it
 * against the files of `app`.
 */
export const config = {
  matcher: [
    '/((?!v1(?:/|$)|_next/|(?:livez|readyz|metrics|api/inngest|api/providers/[^/]+|api/emails/notices|demo/receiver/[^/]+)$|(?:checkout|pay|billing-update|invoice-update|withdrawal)/[^/]+/submit$|portal/(?:(?:link|sign-in|subscriptions|email-change)/[^/]+/submit|email/submit|sign-out|language|invoices/zip)$|admin/(?:.+/submit|sign-out|sessions/[^/]+/end|export/[^/]+|(?:test|live)/[^/]+/(?:export/[^/]+(?:/[^/]+){0,2}|(?:[^/]+/){1,3}html))$|(?:checkout|billing-update)/[^/]+/(?:quote|return)$|invoices/[^/]+/(?:pdf|ubl)$|brand/[^/]+$).*)',
  ],
}

/** A database that does not answer by then is one that nothing can be looked up in. */
const statusPatienceMs = 10_000

/** How the page's status is found, and the shop's origins if the form may lead to the shop. */
interface Behind {
  readonly status: (token: string) => Promise<number | undefined>
  readonly origins?: (token: string) => Promise<readonly string[] | null>
}

const behindLinks: Readonly<Record<HostedPage, Behind>> = {
  checkout: { status: checkoutStatus, origins: checkoutOrigins },
  pay: { status: paymentStatus, origins: paymentOrigins },
  invoices: { status: invoiceStatus },
  'billing-update': { status: billingUpdateStatus, origins: billingUpdateOrigins },
  withdrawal: { status: withdrawalStatus },
  'invoice-update': { status: invoiceUpdateStatus },
  'portal/link': { status: portalLinkStatus },
  'portal/sign-in': { status: portalSignInStatus },
  'portal/email-change': { status: emailChangeStatus },
}

/**
 * Sets what a page cannot set itself: its status (404 unknown, 410 over, 503 when nothing can be looked up; the page
 * says the same in words) and a Content-Security-Policy with a fresh nonce, which Next puts on its own scripts.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const elsewhere = (await limitPage(request)) ?? (await adminWayIn(request))
  if (elsewhere) return elsewhere
  const { status, formTargets } = await recordOf(request.nextUrl.pathname, request.headers.get('cookie'))
  const policy = contentSecurityPolicy({
    nonce: crypto.randomUUID(),
    formTargets,
    isDevelopment: process.env.NODE_ENV === 'development',
  })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  return NextResponse.next({
    ...(status !== undefined && { status }),
    request: { headers },
    headers: { 'content-security-policy': policy, 'cache-control': 'no-store' },
  })
}

/** What a page needs before it is drawn: its status, and the other sites that its form may lead to. */
interface PageRecord {
  readonly status: number | undefined
  readonly formTargets: readonly string[]
}

/** Other paths have no record, so Next decides about them. */
async function recordOf(path: string, cookies: string | null): Promise<PageRecord> {
  const [, page = '', token = '', ...rest] = path.split('/')
  if (page === 'admin') return { status: await adminPageStatus(token, rest), formTargets: [] }
  const link = hostedLink(path)
  if (!link && page === 'portal') return { status: await portalPageStatus(path, cookies), formTargets: [] }
  if (!link || link.token === '' || link.rest.length > 0) return { status: undefined, formTargets: [] }
  const { status, origins } = behindLinks[link.page]
  const found = within(statusPatienceMs, Promise.all([status(link.token), origins?.(link.token)]))
  return found.then(
    ([status, origins]) => ({
      status,
      // A page that is unknown or over has no form.
      formTargets: leavesSite(link.page) && status === 200 ? otherSites(origins ?? []) : [],
    }),
    () => ({ status: 503, formTargets: [] }),
  )
}

/**
 * Every https site, and the plain http sites that are known. Chromium and Safari compare each redirect after a form with this list,
 * also the redirects that the other site makes: a shop's to `www.` or to its log-in, a provider's to the bank or to PayPal. No list of names
 * can know them, and a buyer whose redirect is blocked stays on our page after the payment.
 */
const otherSites = (shopOrigins: readonly string[]): string[] => [
  'https:',
  ...[...shopOrigins, ...plainHttpPaymentOrigins()].filter((origin) => origin.startsWith('http:')),
]

/** Pages of the admin area without a session. */
const isOpenToAll = /^\/admin\/(?:sign-in$|invitation\/|password(?:\/|$))/

/**
 * Leads a browser that is not signed in to the log-in of the admin area, or to its second half, with the page that it wants. It
 * decides nothing: each page and form of the admin area asks for its operator again.
 */
async function adminWayIn(request: NextRequest): Promise<Response | null> {
  const { pathname, search } = request.nextUrl
  if (!/^\/admin(?:\/|$)/.test(pathname) || isOpenToAll.test(pathname)) return null
  const way = await within(statusPatienceMs, wayIn(request.headers.get('cookie'))).catch(() => null)
  const isThere = way === pathname || (way === null && pathname !== '/admin/second-factor')
  if (isThere) return null
  const wanted = wantedPage(`${pathname}${search}`)
  if (way !== null && mayLackCookie(request.method, request.headers)) return askAgain(wanted ?? '/admin')
  return NextResponse.redirect(pageUrl(way === null ? '/admin' : withWanted(way, wanted)), {
    status: 303,
    headers: { 'cache-control': 'no-store' },
  })
}

/** Of the admin area, the pages behind a link. */
async function adminPageStatus(section: string, [token = '', ...rest]: readonly string[]): Promise<number | undefined> {
  const behindLink = { invitation: invitationStatus, password: passwordStatus }
  if (!Object.hasOwn(behindLink, section) || token === '' || rest.length > 0) return undefined
  return within(statusPatienceMs, behindLink[section as keyof typeof behindLink](token)).catch(() => 503)
}

/** A page of the portal behind the session that the cookies name. */
const portalPageStatus = (path: string, cookies: string | null): Promise<number> =>
  within(statusPatienceMs, portalStatus(path.split('/').slice(2), cookies)).catch(() => 503)
