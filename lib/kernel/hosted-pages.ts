import { lookUp } from './look-up.ts'

interface Particulars {
  /** The page looks up data before it knows the reader, so views are rate limited in addition to forms. */
  readonly isLimited?: true
  /** Everybody has the same link, so requests are counted by network address only. */
  readonly isShared?: true
  /** Its form may lead to another site: the shop, or the page of a payment provider. */
  readonly leavesSite?: true
}

/** The pages behind a link, by their folder in `app/(hosted)`. The secret of the link follows in the path. */
export const hostedPages = {
  checkout: { leavesSite: true },
  buy: { isLimited: true, isShared: true, leavesSite: true },
  pay: { leavesSite: true },
  invoices: {},
  'billing-update': { leavesSite: true },
  'invoice-update': {},
  withdrawal: { isLimited: true },
  'portal/link': { isLimited: true },
  'portal/notice': { isLimited: true },
  'portal/sign-in': { isLimited: true, isShared: true },
  'portal/email-change': { isLimited: true },
} as const satisfies Record<string, Particulars>

/** The proxy sets `status` and allows `origins` in forms; the page shows `view`. */
export interface Loaded<View> {
  /** 404: the link is unknown. 410: the page says why the link is over. 403: the session is over. */
  readonly status: 200 | 403 | 404 | 410
  readonly view: View | null
  /** Origins of the shop that a form of the page may lead to. */
  readonly origins?: readonly string[]
}

export const unknownLink = { status: 404, view: null } as const satisfies Loaded<never>

/** Each link has a kind. A secret opens links of its own kind only. Sent links contain the kind, so it never changes. */
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

/** Whether a form of a page may lead to another site. Pages that are not behind a link lead to our own pages alone. */
export const leavesSite = (page: string): boolean =>
  Object.hasOwn(hostedPages, page) && particularsOf(page as HostedPage).leavesSite === true

export const hostedSections: readonly string[] = [...new Set(pages.map((page) => page.split('/', 1)[0] ?? ''))]

export const hostedPath = (page: HostedPage, token: string): string => `/${page}/${encodeURIComponent(token)}`

/** The page of a path, its secret (empty if missing), and the rest of the path. Null for other paths. */
export function hostedLink(path: string): { page: HostedPage; token: string; rest: readonly string[] } | null {
  const page = pages.find((each) => path === `/${each}` || path.startsWith(`/${each}/`))
  if (page === undefined) return null
  const [token = '', ...rest] = path.slice(`/${page}/`.length).split('/')
  return { page, token, rest }
}

/** Routes by their first segment: the pattern is for the rest of the path, without its first slash. */
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

/** Whether a path is that of a page, or leads nowhere: `scripts/page-paths.test.ts` compares with the files of `app`. */
export function isPagePath(path: string): boolean {
  const [, section = '', ...rest] = path.split('/')
  return !lookUp(routes, section)?.test(rest.join('/'))
}
