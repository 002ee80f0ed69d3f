import { parseHttpUrl } from '../../kernel/url.ts'

/** Origins of the shop that the form of a hosted page may lead to: a browser follows its redirects to no other. */
export const originsOf = (shop: {
  redirectUrlSuccess: string | null
  redirectUrlCanceled: string | null
}): string[] => {
  const urls = [shop.redirectUrlSuccess, shop.redirectUrlCanceled]
  return [...new Set(urls.flatMap((url) => (url === null ? [] : [(parseHttpUrl(url) ?? new URL(url)).origin])))]
}
