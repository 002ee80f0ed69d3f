import { lookUp } from './look-up.ts'

interface Particulars {
  /** The page looks up data before it identifies the reader, so both its views and its forms are rate limited. */
  readonly isLimited?: true
  /** All readers have the same link, so requests are limited by client address and not by link. */
  readonly isShared?: true
  /** A form on the page may lead to another site: the shop, or the page of a payment provider. */
  readonly leavesSite?: true
  /** A form on the page can open a payment, and the buyer then pays on a page of the provider. The form itself never charges the buyer. */
  readonly opensPayments?: true
}

/** Pages by their folder in `app/(hosted)`. The path continues with a token, which is secret unless all readers share the link. */
export const hostedPages = {
  checkout: { leavesSite: true, opensPayments: true },
  buy: { isLimited: true, isShared: true, leavesSite: true, opensPayments: true },
  pay: { leavesSite: true },
  invoices: {},
  'billing-update': { leavesSite: true, opensPayments: true },
  'invoice-update': {},
  withdrawal: { isLimited: true },
  'portal/link': { isLimited: true },
  'portal/notice': { isLimited: true },
  'portal/sign-in': { isLimited: true, isShared: true },
  'portal/email-change': { isLimited: true },
} as const satisfies Record<string, Particulars>

/** `proxy.ts` sets `status` and uses `origins` for the allowed form targets. The page shows `view`. */
export interface Loaded<View> {
  /** 404: the link is unknown. 410: the link has expired or was used. 403: the session has ended. */
  readonly status: 200 | 403 | 404 | 410
  readonly view: View | null
  /**
   * Origins to which the Content-Security-Policy directive `form-action` allows a redirect after a form. The directive
   * allows every https site anyway, so only `http:` origins have an effect.
   */
  readonly origins?: readonly string[]
}

export const unknownLink = { status: 404, view: null } as const satisfies Loaded<never>

/** The secret of a link is valid for one kind of link. A kind must never be renamed, because the links in sent emails would become invalid. */
export type LinkKind =
  | 'checkout'
  | 'payment'
  | 'invoice'
  | 'invoice_update'
  | 'billing'
  | 'portal'
  | 'portal_notice'
  | 'portal_sign_in'
  | 'portal_sign_in_test'
  | 'email_change'
  | 'withdrawal'

export type HostedPage = keyof typeof hostedPages

const pages = Object.keys(hostedPages) as HostedPage[]

export const particularsOf = (page: HostedPage): Particulars => hostedPages[page]

/** Returns false for a page with a session, because `hostedPages` does not list such a page. */
const isTrueOf =
  (key: 'leavesSite' | 'opensPayments') =>
  (page: string): boolean =>
    Object.hasOwn(hostedPages, page) && particularsOf(page as HostedPage)[key] === true

export const leavesSite = isTrueOf('leavesSite')
export const opensPayments = isTrueOf('opensPayments')

export const hostedSections: readonly string[] = [...new Set(pages.map((page) => page.split('/', 1)[0] ?? ''))]

export const hostedPath = (page: HostedPage, token: string): string => `/${page}/${encodeURIComponent(token)}`

/**
 * Splits the path of a hosted page into the page, its token (which may be empty), and the remaining segments. Returns
 * null if the path is not the path of a hosted page.
 */
export function hostedLink(path: string): { page: HostedPage; token: string; rest: readonly string[] } | null {
  const page = pages.find((each) => path === `/${each}` || path.startsWith(`/${each}/`))
  if (page === undefined) return null
  const [token = '', ...rest] = path.slice(`/${page}/`.length).split('/')
  return { page, token, rest }
}

/**
 * Maps the first segment of each path that is not a page to a pattern. The pattern matches the part of the path after
 * the first segment and its slash.
 */
const routes: Readonly<Record<string, RegExp>> = {
  v1: /^/,
  livez: /^$/,
  readyz: /^$/,
  metrics: /^$/,
  api: /^(?:inngest|emails\/notices|providers\/[^/]+)$/,
  brand: /^[^/]+$/,
  docs: /^(?:search-index\.json|markdown\/.+|.+\.md)$/,
  'llms.txt': /^$/,
  'robots.txt': /^$/,
  'sitemap.xml': /^$/,
  demo: /^receiver\/[^/]+$/,
  admin: /^(?:.+\/)?(?:submit|sign-out|end|html|export(?:\/[^/]+){1,3})$/,
  checkout: /^[^/]+\/(?:submit|quote|return)$/,
  buy: /^[^/]+\/(?:submit|quote)$/,
  'billing-update': /^[^/]+\/(?:submit|quote|return)$/,
  pay: /^[^/]+\/submit$/,
  'invoice-update': /^[^/]+\/submit$/,
  withdrawal: /^[^/]+\/submit$/,
  invoices: /^[^/]+\/(?:pdf|ubl)$/,
  portal: /^(?:(?:[^/]+\/){1,3}submit|sign-out|language|invoices\/zip)$/,
}

/** True for a path of a page and for an unknown path. `scripts/page-paths.test.ts` compares the routes with `app`. */
export function isPagePath(path: string): boolean {
  const [, section = '', ...rest] = path.split('/')
  return !lookUp(routes, section)?.test(rest.join('/'))
}
