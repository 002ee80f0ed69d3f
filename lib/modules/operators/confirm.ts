import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** The page that asks for a second-factor code on behalf of a form without a code field, then returns to the form's page. */

export const confirmPage = '/admin/confirm'
const sealedFor = (operatorId: string) => `confirm|${operatorId}`

/** The address at which a person confirms an action. The page of the form is encrypted, so no link can change it. */
export const confirmPath = (operatorId: string, page: string): string =>
  `${confirmPage}?to=${Buffer.from(seal(page, sealedFor(operatorId))).toString('base64url')}`

/** The page to which the person returns. Null if the address was not made here for this person. */
export function pageToConfirm(sealed: string, operatorId: string): string | null {
  try {
    return unseal(Buffer.from(sealed, 'base64url'), sealedFor(operatorId))
  } catch {
    return null // The address was not encrypted here for this person.
  }
}
