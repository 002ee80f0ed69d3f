import { forgottenPath } from '../../modules/operators/signed-in.ts'

/** The page that asks for a link, or with a token the page behind the link. */
export const passwordPath = (token?: string): string => `${forgottenPath}${token === undefined ? '' : `/${token}`}`
