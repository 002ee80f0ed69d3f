import { headers } from 'next/headers'
import { setRequestLocale } from 'next-intl/server'
import type { Loaded } from '@/lib/kernel/hosted-pages.ts'
import { type Locale, negotiateLocale } from '@/lib/kernel/locale.ts'
import type { BrandView } from '@/lib/modules/brand/page.ts'
import { loadPage, type PageRequest, pageRequestOf } from './load-page.ts'

/** Every hosted page is identified by one secret in its path. */
export interface TokenParams {
  params: Promise<{ token: string }>
}

/** The parameters of a page's query. */
export type Query = Promise<Record<string, string | string[] | undefined>>

/** The first value of a parameter. */
export const first = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null

/** The parts of a record that its document needs. */
export interface Shown {
  readonly locale: Locale
  readonly brand: BrandView
}

/** A hosted page's record, the language of the response, and the data of the document. */
type Opened<Page> = Found<Page> & { document: { locale: Locale; brand: BrandView | null; nonce: string | undefined } }
type Found<Page> = { found: 'page'; page: Page; locale: Locale } | { found: 'nothing' | 'down'; locale: Locale }

/**
 * Opens the page at a path: loads its record and takes the language from it. Without a record, the browser's language
 * is used.
 */
export async function open<Page extends Shown>(
  path: string,
  load: (asked: PageRequest) => Promise<Loaded<Page>>,
): Promise<Opened<Page>> {
  const request = await headers()
  const asked = pageRequestOf(request)
  const { status, view } = await loadPage(path, () => load(asked))
  const locale = view?.locale ?? negotiateLocale(asked.visitor.acceptLanguage)
  setRequestLocale(locale)
  const document = { locale, brand: view?.brand ?? null, nonce: nonceOf(request) }
  if (view) return { found: 'page', page: view, locale, document }
  return { found: status === 503 ? 'down' : 'nothing', locale, document }
}

/** The nonce that `proxy.ts` allows for the document's own styles. */
const nonceOf = (request: Pick<Headers, 'get'>): string | undefined =>
  /'nonce-([^']+)'/.exec(request.get('content-security-policy') ?? '')?.[1]
