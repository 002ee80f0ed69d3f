import { headers } from 'next/headers'
import { setRequestLocale } from 'next-intl/server'
import { type Locale, negotiateLocale } from '@/lib/kernel/locale.ts'
import type { BrandView } from '@/lib/modules/brand/page.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { within } from '@/lib/platform/within.ts'

/** After this time the reader gets a page that says that the service does not respond. */
const pagePatienceMs = 15_000

/** Every hosted page is found by one secret in its path. */
export interface TokenParams {
  params: Promise<{ token: string }>
}

/** The parameters of a page's query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** A parameter as it was given first. */
export const first = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null

/** What the document around a page takes from its record. */
export interface Shown {
  readonly locale: Locale
  readonly brand: BrandView
}

/** What is known of the page's reader. */
export interface Buyer {
  acceptLanguage: string | null
  header: (name: string) => string | null
}

export const buyerOf = (headers: Pick<Headers, 'get'>): Buyer => ({
  acceptLanguage: headers.get('accept-language'),
  header: (name) => headers.get(name),
})

/** A hosted page's record, the language to respond in, and what the document around it needs. */
type Opened<Page> = Found<Page> & { document: { locale: Locale; brand: BrandView | null; nonce: string | undefined } }
type Found<Page> = { found: 'page'; page: Page; locale: Locale } | { found: 'nothing' | 'down'; locale: Locale }

/**
 * Loads a page's record and sets the language of the request by it; by the reader's browser when there is none. A
 * failure is a state of the page too: an error thrown here would leave a reader without JavaScript an empty page.
 */
export async function open<Page extends Shown>(load: (buyer: Buyer) => Promise<Page | null>): Promise<Opened<Page>> {
  const request = await headers()
  const buyer = buyerOf(request)
  const opened = await within(pagePatienceMs, load(buyer)).then(
    (page): Found<Page> =>
      page
        ? { found: 'page', page, locale: page.locale }
        : { found: 'nothing', locale: negotiateLocale(buyer.acceptLanguage) },
    (error: unknown): Found<Page> => {
      log.error({ error: shortError(error) }, 'A hosted page could not be loaded')
      return { found: 'down', locale: negotiateLocale(buyer.acceptLanguage) }
    },
  )
  const { locale } = opened
  setRequestLocale(locale)
  const brand = opened.found === 'page' ? opened.page.brand : null
  return { ...opened, document: { locale, brand, nonce: nonceOf(request) } }
}

/** What `proxy.ts` lets the document's own styles in by. */
const nonceOf = (request: Pick<Headers, 'get'>): string | undefined =>
  /'nonce-([^']+)'/.exec(request.get('content-security-policy') ?? '')?.[1]
