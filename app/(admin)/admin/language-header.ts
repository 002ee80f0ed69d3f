/** `proxy.ts` sets this header to the reader's language in each request to the admin area. */
export const languageHeader = 'billhook-admin-language'
