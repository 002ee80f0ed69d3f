import { headers } from 'next/headers'
import { setRequestLocale } from 'next-intl/server'
import type { Loaded } from '@/lib/kernel/hosted-pages.ts'
import { type Locale, negotiateLocale } from '@/lib/kernel/locale.ts'
import type { BrandView } from '@/lib/modules/brand/page.ts'
import { loadPage, type PageRequest, pageRequestOf } from './load-page.ts'

export interface TokenParams {
  params: Promise<{ token: string }>
}

export type Query = Promise<Record<string, string | string[] | undefined>>

export const first = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null

export interface Shown {
  readonly locale: Locale
  readonly brand: BrandView
}

type Opened<Page> = Found<Page> & { document: { locale: Locale; brand: BrandView | null; nonce: string | undefined } }
type Found<Page> = { found: 'page'; page: Page; locale: Locale } | { found: 'nothing' | 'down'; locale: Locale }

/** Loads the record of a path. The language is the record's language, or the browser's language if there is no record. */
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

/** The nonce in the Content-Security-Policy that `proxy.ts` sets. The document's own styles need the nonce. */
const nonceOf = (request: Pick<Headers, 'get'>): string | undefined =>
  /'nonce-([^']+)'/.exec(request.get('content-security-policy') ?? '')?.[1]
