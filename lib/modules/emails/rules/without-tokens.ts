/**
 * Masks each part of a link that is long enough to be a secret token, so that a reader cannot act as the customer. The
 * host is not masked.
 */
export const withoutTokens = (text: string): string =>
  text.replaceAll(
    /(https?:\/\/[^\s/]+)(\/\S*)/g,
    (_, host: string, rest: string) => host + rest.replaceAll(/[\w-]{30,}/g, '…'),
  )
