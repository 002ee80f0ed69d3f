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

/**
 * All paths except the files of Next.js. `isPagePath` decides about the rest. Next.js reads this text without running
 * it.
 */
export const config = { matcher: ['/((?!_next/).*)'] }

/** If the database has not responded after this time, nobody counts as logged in. */
const signInPatienceMs = 10_000

/** The loaders of the pages behind a link. Each page uses the same loader in `app/(hosted)`. */
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

/** The loaders of admin pages behind a link. */
const adminLoaders: Readonly<Record<string, (token: string) => Promise<Loaded<unknown>>>> = {
  invitation: loadInvitation,
  password: loadPasswordReset,
}

/**
 * Sets what a page cannot set: its status and its Content-Security-Policy. The status is 404 for an unknown link, 410
 * for an expired one, and 503 if the database does not respond; the page says the same in words. The policy has a fresh
 * nonce, which Next.js puts on its own scripts. The page gets the data loaded here (`oncePerRequest`).
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

/** Search engines may list the front page and the documentation. `pageHeaders` forbids it for all other pages. */
const mayBeListed = (path: string): boolean =>
  serviceConfig().docsIndexed && (path === '/' || /^\/docs(?:\/|$)/.test(path))

/** Null for a path without a record. Next.js sets its status. */
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

/** The sources besides our own that forms of a page may lead to. An unknown or expired page has no form. */
function formTargetsOf(path: string, loaded: LoadedOrDown<unknown> | null): string[] {
  const page = hostedLink(path)?.page
  return page && leavesSite(page) && loaded?.status === 200 ? otherSites(loaded.origins ?? []) : []
}

/**
 * Every https site, and the known plain http sites. Chromium and Safari compare each redirect after a form with this
 * list, including redirects of the other site: a shop's to `www.` or to its log-in, a provider's to the bank or to
 * PayPal. No list of names can contain them, and a blocked redirect would leave the buyer on our page after the
 * payment.
 */
const otherSites = (shopOrigins: readonly string[]): string[] => [
  'https:',
  ...[...shopOrigins, ...plainHttpPaymentOrigins()].filter((origin) => origin.startsWith('http:')),
]

const isAdminPath = (path: string): boolean => /^\/admin(?:\/|$)/.test(path)

/** Whether the database can look up each part of a path, also of the path of a form or a file. Otherwise no such object exists. */
function isStorablePath(path: string): boolean {
  try {
    return isStorableText(decodeURIComponent(path))
  } catch {
    return false // no text in UTF-8
  }
}

/** Pages of the admin area without a session. */
const isOpenToAll = /^\/admin\/(?:sign-in$|invitation\/|password(?:\/|$))/

interface Reader {
  /** The response for a reader who has no access to the page. */
  readonly elsewhere: Response | null
  readonly language: Locale
}

/**
 * The reader of a page of the admin area. A browser without a session is redirected to the log-in, or to its second
 * step, with the requested page. This grants no access: each page and form of the admin area checks the operator again.
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
  const elsewhere = NextResponse.redirect(pageUrl(to === null ? '/admin' : withWanted(to, wanted)), {
    status: 303,
    headers: { 'cache-control': 'no-store' },
  })
  return { elsewhere, language }
}
