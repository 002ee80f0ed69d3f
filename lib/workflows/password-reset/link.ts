import { forgottenPath } from '../../modules/operators/signed-in.ts'

/** The page on which a link is asked for, or the one behind a link. */
export const passwordPath = (token?: string): string => `${forgottenPath}${token === undefined ? '' : `/${token}`}`
