import { parseHttpUrl } from '../../kernel/url.ts'

/** Returns the origins to which a form of a hosted page may redirect. The Content-Security-Policy of the page lists them. */
export const originsOf = (shop: {
  redirectUrlSuccess: string | null
  redirectUrlCanceled: string | null
}): string[] => {
  const urls = [shop.redirectUrlSuccess, shop.redirectUrlCanceled]
  return [...new Set(urls.flatMap((url) => (url === null ? [] : [(parseHttpUrl(url) ?? new URL(url)).origin])))]
}
