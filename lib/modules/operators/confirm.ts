import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** The page that takes a code of the second factor for a form without a field of its own, and leads back to the form's page. */

export const confirmPage = '/admin/confirm'
const sealedFor = (operatorId: string) => `confirm|${operatorId}`

/** Where somebody confirms an action; `page` is the page of its form. It is sealed, so that a link cannot lead to another one. */
export const confirmPath = (operatorId: string, page: string): string =>
  `${confirmPage}?to=${Buffer.from(seal(page, sealedFor(operatorId))).toString('base64url')}`

/** The page that somebody is led back to. Null if the address was not made here for this person. */
export function pageToConfirm(sealed: string, operatorId: string): string | null {
  try {
    return unseal(Buffer.from(sealed, 'base64url'), sealedFor(operatorId))
  } catch {
    return null // It was not sealed here for this person.
  }
}
