/** The proxy writes the language of the reader of an admin page into this request header. */
export const languageHeader = 'billhook-admin-language'
