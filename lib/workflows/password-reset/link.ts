import { forgottenPath } from '../../modules/operators/signed-in.ts'

export const passwordPath = (token?: string): string => `${forgottenPath}${token === undefined ? '' : `/${token}`}`
