/** Masks each part of a link that is long enough to be a secret token, with which a reader could act as the customer. The host stays. */
export const withoutTokens = (text: string): string =>
  text.replaceAll(
    /(https?:\/\/[^\s/]+)(\/\S*)/g,
    (_, host: string, rest: string) => host + rest.replaceAll(/[\w-]{30,}/g, '…'),
  )
