import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'

/** The path of the personal link of an email: it opens the portal for the reader. Derived from the id, and never stored. */
export const portalNoticePath = (emailId: string): string =>
  hostedPath('portal/notice', linkToken('portal_notice', emailId))

/** The id of the email with a personal link. Null if the token is not one of ours. */
export const emailOfNotice = (token: string): string | null => openLinkToken('portal_notice', 'mail_', token)
