import { type NextRequest, NextResponse } from 'next/server'
import { askAgain } from '@/app/(admin)/admin/again.ts'
import { languageHeader } from '@/app/(admin)/admin/language-header.ts'
import type { LoadByLink } from '@/app/(hosted)/hosted-page.tsx'
import { type LoadedOrDown, loadPage, pageRequestOf, queryHeader } from '@/app/(hosted)/load-page.ts'
import { limitPage } from '@/app/(hosted)/page-limits.ts'
import { portalLoader } from '@/app/(hosted)/portal/(session)/open-portal.ts'
import { words } from '@/app/(hosted)/words.ts'
import {
  type HostedPage,
  hostedLink,
  hostedPath,
  isPagePath,
  type Loaded,
  leavesSite,
} from '@/lib/kernel/hosted-pages.ts'
import { type Locale, negotiateLocale } from '@/lib/kernel/locale.ts'
import { lookUp } from '@/lib/kernel/look-up.ts'
import { isStorableText } from '@/lib/kernel/text.ts'
import { loadInvoice } from '@/lib/modules/invoices/load-invoice.ts'
import { rememberedPlace } from '@/lib/modules/operators/last-place.ts'
import { mayLackCookie, wantedPage, wayIn, withWanted } from '@/lib/modules/operators/manage-sessions.ts'
import { chosenSidebar } from '@/lib/modules/operators/sidebar.ts'
import { config as serviceConfig } from '@/lib/platform/config.ts'
import { pageUrl } from '@/lib/platform/http/links.ts'
import { contentSecurityPolicy } from '@/lib/platform/http/page-policy.ts'
import { within } from '@/lib/platform/within.ts'
import { plainHttpPaymentOrigins } from '@/lib/providers/index.ts'
import { loadBillingUpdate } from '@/lib/workflows/billing-update/load-billing-update.ts'
import { loadEmailChange } from '@/lib/workflows/email-change/load-email-change.ts'
import { loadInvoiceUpdate } from '@/lib/workflows/invoice-update/load-invoice-update.ts'
import { loadInvitation } from '@/lib/workflows/members/load-invitation.ts'
import { loadPasswordReset } from '@/lib/workflows/password-reset/load-password-reset.ts'
import { loadPortalNotice } from '@/lib/workflows/portal-sign-in/load-notice.ts'
import { loadPortalLink, loadPortalSignIn } from '@/lib/workflows/portal-sign-in/load-sign-in.ts'
import { loadCheckout } from '@/lib/workflows/sale/load-checkout.ts'
import { loadPaymentLink } from '@/lib/workflows/sale/load-payment-link.ts'
import { loadTestPayment } from '@/lib/workflows/test-payment-page/load-test-payment.ts'
import { loadWithdrawal } from '@/lib/workflows/withdrawal/load-withdrawal.ts'

/** Next.js evaluates the matcher at build time, so the matcher is a literal. `isPagePath` excludes further paths at run time. */
export const config = { matcher: ['/((?!_next/).*)'] }

/** After this time without a response from the database, the proxy stops checking the log-in, and the page checks it. */
const signInPatienceMs = 10_000

/** The loader of each hosted page. The page in `app/(hosted)` calls the same loader. */
const loaders: Readonly<Record<HostedPage, LoadByLink<unknown>>> = {
  checkout: loadCheckout,
  buy: loadPaymentLink,
  pay: loadTestPayment,
  invoices: loadInvoice,
  'billing-update': loadBillingUpdate,
  'invoice-update': loadInvoiceUpdate,
  withdrawal: loadWithdrawal,
  'portal/link': loadPortalLink,
  'portal/notice': loadPortalNotice,
  'portal/sign-in': loadPortalSignIn,
  'portal/email-change': loadEmailChange,
}

const adminLoaders: Readonly<Record<string, (token: string) => Promise<Loaded<unknown>>>> = {
  invitation: loadInvitation,
  password: loadPasswordReset,
}

/**
 * Sets the status and the Content-Security-Policy, which a page cannot set. The status is 404 for an unknown link, 410
 * for an expired link, and 503 if the database does not respond. The page reuses the data loaded here
 * (`oncePerRequest`).
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl
  if (isAdminPath(pathname) && !isStorablePath(pathname)) return words(request, 404, 'errors.notFound')
  if (!isPagePath(pathname)) return NextResponse.next()
  const refused = await limitPage(request)
  if (refused) return refused
  const headers = new Headers(request.headers)
  headers.set(queryHeader, search)
  if (isAdminPath(pathname)) {
    const { elsewhere, language } = await adminReader(request)
    if (elsewhere) return elsewhere
    const sidebar = chosenSidebar(pathname, search)
    if (sidebar) return redirection(sidebar.to, sidebar.cookie)
    headers.set(languageHeader, language)
  }
  const loaded = await load(pathname, headers)
  const policy = contentSecurityPolicy({
    nonce: crypto.randomUUID(),
    formTargets: formTargetsOf(pathname, loaded),
    isDevelopment: process.env.NODE_ENV === 'development',
  })
  headers.set('content-security-policy', policy)
  const place = rememberedPlace(pathname, headers.get('cookie'))
  return NextResponse.next({
    ...(loaded && { status: loaded.status }),
    request: { headers },
    headers: {
      'content-security-policy': policy,
      'cache-control': 'no-store',
      ...(mayBeListed(pathname) && { 'x-robots-tag': 'all' }),
      ...(place !== null && { 'set-cookie': place }),
    },
  })
}

/** Whether search engines may list the page. `pageHeaders` forbids listing by default. */
const mayBeListed = (path: string): boolean =>
  serviceConfig().docsIndexed && (path === '/' || /^\/docs(?:\/|$)/.test(path))

/** Loads the record that a page shows. Returns null if the page shows no record. Next.js then sets the status of the page. */
async function load(path: string, headers: Headers): Promise<LoadedOrDown<unknown> | null> {
  const asked = pageRequestOf(headers)
  const { visitor, query } = asked
  const link = hostedLink(path)
  if (link) {
    const { page, token, rest } = link
    if (token === '' || rest.length > 0) return null
    return loadPage(hostedPath(page, token), () => loaders[page](token, visitor, query))
  }
  const [, section, name = '', token = '', ...rest] = path.split('/')
  if (section === 'portal') {
    const inSession = portalLoader(path)
    return inSession ? loadPage(path, () => inSession(asked)) : { status: 404, view: null }
  }
  const ofAdmin = section === 'admin' && token !== '' && rest.length === 0 ? lookUp(adminLoaders, name) : undefined
  return ofAdmin ? loadPage(path, () => ofAdmin(token)) : null
}

/** The other sites to which the forms of a page may lead. The list is empty unless the page has status 200, because error pages have no form. */
function formTargetsOf(path: string, loaded: LoadedOrDown<unknown> | null): string[] {
  const page = hostedLink(path)?.page
  return page && leavesSite(page) && loaded?.status === 200 ? otherSites(loaded.origins ?? []) : []
}

/**
 * Chromium and Safari compare each redirect after a form post with this list. A shop may redirect to its log-in, and a
 * provider to any bank, so all https sites are allowed. A blocked redirect would strand the buyer after the payment.
 */
const otherSites = (shopOrigins: readonly string[]): string[] => [
  'https:',
  ...[...shopOrigins, ...plainHttpPaymentOrigins()].filter((origin) => origin.startsWith('http:')),
]

const isAdminPath = (path: string): boolean => /^\/admin(?:\/|$)/.test(path)

/** False for a path with characters that PostgreSQL refuses, such as NUL. No stored id contains them. */
function isStorablePath(path: string): boolean {
  try {
    return isStorableText(decodeURIComponent(path))
  } catch {
    return false
  }
}

const isOpenToAll = /^\/admin\/(?:sign-in$|invitation\/|password(?:\/|$))/

interface Reader {
  /** The redirect to the log-in or to the second factor; null if the browser may see the page. */
  readonly elsewhere: Response | null
  readonly language: Locale
}

/**
 * Redirects a browser without a session to the log-in or to the second factor, and keeps the requested page. This is no
 * access check: each admin page and form checks the operator again.
 */
async function adminReader(request: NextRequest): Promise<Reader> {
  const { pathname, search } = request.nextUrl
  const ofBrowser = negotiateLocale(request.headers.get('accept-language'))
  if (isOpenToAll.test(pathname)) return { elsewhere: null, language: ofBrowser }
  const way = await within(signInPatienceMs, wayIn(request.headers.get('cookie'))).catch(() => null)
  const to = way?.to ?? null
  const language = way?.language ?? ofBrowser
  if (to === pathname || (to === null && pathname !== '/admin/second-factor')) return { elsewhere: null, language }
  const wanted = wantedPage(`${pathname}${search}`)
  if (to !== null && mayLackCookie(request.method, request.headers))
    return { elsewhere: askAgain(wanted ?? '/admin'), language }
  return { elsewhere: redirection(to === null ? '/admin' : withWanted(to, wanted)), language }
}

const redirection = (to: string, cookie?: string): Response =>
  NextResponse.redirect(pageUrl(to), {
    status: 303,
    headers: { 'cache-control': 'no-store', ...(cookie !== undefined && { 'set-cookie': cookie }) },
  })
