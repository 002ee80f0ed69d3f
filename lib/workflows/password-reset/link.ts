/** The page on which a link is asked for, or the one behind a link. */
export const passwordPath = (token?: string): string => `/admin/password${token === undefined ? '' : `/${token}`}`
