import { hostedPath } from '../../kernel/hosted-pages.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'

export const portalNoticePath = (emailId: string): string =>
  hostedPath('portal/notice', linkToken('portal_notice', emailId))

export const emailOfNotice = (token: string): string | null => openLinkToken('portal_notice', 'mail_', token)
