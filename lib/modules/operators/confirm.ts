import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** This page asks for a code if the form of an action has no code field. After a correct code, the page redirects to the form's page. */

export const confirmPage = '/admin/confirm'
const sealedFor = (operatorId: string) => `confirm|${operatorId}`

/** The parameter `to` is the encrypted path of the form's page, so that nobody can forge the URL. */
export const confirmPath = (operatorId: string, page: string): string =>
  `${confirmPage}?to=${Buffer.from(seal(page, sealedFor(operatorId))).toString('base64url')}`

export function pageToConfirm(sealed: string, operatorId: string): string | null {
  try {
    return unseal(Buffer.from(sealed, 'base64url'), sealedFor(operatorId))
  } catch {
    return null
  }
}
