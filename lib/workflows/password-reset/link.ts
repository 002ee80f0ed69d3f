/** The page on which a link is asked for, or the one behind a link. */
export const passwordPath = (token?: string): string => `/admin/password${token === undefined ? '' : `/${token}`}`

/** Where the sealed address of a task belongs. */
export const sealedEmailAt = (key: string): string => `tasks|${key}|email`
