import { dayAndTime } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import type { SignInChange } from './rules/email.ts'
import type { Words } from './words.ts'

const reaction = {
  passwordChanged: { next: 'passwordNext', open: 'emails.passwordReset.open' },
  secondFactorSetUp: { next: 'passwordNext', open: 'emails.passwordReset.open' },
  secondFactorRemoved: { next: 'unexpected', open: null },
  recoveryCodeUsed: { next: 'passkeyNext', open: 'emails.ownAccess.openSessions' },
  newBrowser: { next: 'passkeyNext', open: 'emails.ownAccess.openSessions' },
} as const

export function signInWords(
  change: SignInChange,
  { shop, contact }: { readonly shop: string; readonly contact: string },
  t: Translator,
  locale: Locale,
): Words {
  const { next, open } = reaction[change.of]
  const values = {
    shop,
    date: dayAndTime(change.at, locale),
    left: change.of === 'recoveryCodeUsed' ? change.left : 0,
    address: change.of === 'newBrowser' ? change.address : '',
  }
  return {
    subject: t(`emails.ownAccess.signIn.${change.of}.subject`),
    paragraphs: [t(`emails.ownAccess.signIn.${change.of}.what`, values), t(`emails.ownAccess.${next}`, { contact })],
    saysWhy: true,
    action: open && 'url' in change ? { label: t(open), url: change.url } : null,
  }
}
