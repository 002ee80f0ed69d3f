import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'

/** Opens the portal for the reader. Derived from the id, and never stored. */
export const portalNoticePath = (emailId: string): string =>
  hostedPath('portal/notice', linkToken('portal_notice', emailId))

export const emailOfNotice = (token: string): string | null => openLinkToken('portal_notice', 'mail_', token)
