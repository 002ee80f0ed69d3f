import { parseHttpUrl } from '../../kernel/url.ts'

/** Origins that a form of a hosted page may redirect to: a browser follows its redirects to no other origin. */
export const originsOf = (shop: {
  redirectUrlSuccess: string | null
  redirectUrlCanceled: string | null
}): string[] => {
  const urls = [shop.redirectUrlSuccess, shop.redirectUrlCanceled]
  return [...new Set(urls.flatMap((url) => (url === null ? [] : [(parseHttpUrl(url) ?? new URL(url)).origin])))]
}
