import { headers } from 'next/headers'
import { setRequestLocale } from 'next-intl/server'
import { type Locale, negotiateLocale } from '@/lib/kernel/locale.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { within } from '@/lib/platform/within.ts'

/** After this time the reader gets a page that says that the service does not respond. */
const pagePatienceMs = 15_000

/** Every hosted page is found by one secret in its path. */
export interface TokenParams {
  params: Promise<{ token: string }>
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

/** A hosted page's record, and the language to respond in. */
type Opened<Page> = { found: 'page'; page: Page; locale: Locale } | { found: 'nothing' | 'down'; locale: Locale }

/**
 * Loads a page's record and sets the language of the request by it; by the reader's browser when there is none. A
 * failure is a state of the page too: an error thrown here would leave a reader without JavaScript an empty page.
 */
export async function open<Page extends { locale: Locale }>(
  load: (buyer: Buyer) => Promise<Page | null>,
): Promise<Opened<Page>> {
  const buyer = buyerOf(await headers())
  const opened = await within(pagePatienceMs, load(buyer)).then(
    (page): Opened<Page> =>
      page
        ? { found: 'page', page, locale: page.locale }
        : { found: 'nothing', locale: negotiateLocale(buyer.acceptLanguage) },
    (error: unknown): Opened<Page> => {
      log.error({ error: shortError(error) }, 'A hosted page could not be loaded')
      return { found: 'down', locale: negotiateLocale(buyer.acceptLanguage) }
    },
  )
  setRequestLocale(opened.locale)
  return opened
}
