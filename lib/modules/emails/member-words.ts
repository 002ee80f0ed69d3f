import { day, dayAndTime, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import { reasonText } from '../chargebacks/rules/reason.ts'
import type { Role } from '../operators/rules/access.ts'
import { itemText, reducedText } from './item-text.ts'
import { endedWords } from './portal-words.ts'
import type {
  AccessChange,
  EmailSeller,
  InvitationEmail,
  MemberEmail,
  OwnAccessEmail,
  PasskeyAddedEmail,
  PasswordResetEmail,
} from './rules/email.ts'
import { signInWords } from './sign-in-words.ts'
import type { Words } from './words.ts'

type Disputed = Extract<MemberEmail, { kind: 'chargeback_received' }>
type InShop<Mail> = Mail & { readonly storefrontName: string; readonly seller: EmailSeller }

export function memberWords(content: InShop<MemberEmail>, t: Translator, locale: Locale): Words {
  const words = noticeWords(content, t, locale)
  const { ownerUntil, storefrontName: shop, seller } = content
  if (ownerUntil === undefined) return { ...words, action: { label: t('emails.members.open'), url: content.adminUrl } }
  const values = { shop, date: dayAndTime(ownerUntil, locale), contact: contactOf(seller) }
  const paragraphs = [...words.paragraphs, t('emails.members.formerOwner', values)]
  return { subject: words.subject, paragraphs, saysWhy: true, action: null }
}

const contactOf = ({ name, email }: EmailSeller) => email ?? name

function noticeWords(content: InShop<MemberEmail>, t: Translator, locale: Locale): Omit<Words, 'action'> {
  const shop = content.storefrontName
  switch (content.kind) {
    case 'review_decided': {
      const { itemName: item, isUpdate, rejectionReason: reason } = content
      const decision = reason === null ? 'approved' : 'rejected'
      const what = t(`emails.members.${decision}.${isUpdate ? 'update' : 'item'}`, { item, shop })
      const because = reason === null ? [] : [t('emails.reason', { reason })]
      return { subject: t(`emails.members.${decision}.subject`, { item }), paragraphs: [what, ...because] }
    }
    case 'endpoint_disabled': {
      const values = { host: content.host, shop }
      return {
        subject: t('emails.members.endpointDisabled.subject', values),
        paragraphs: [t('emails.members.endpointDisabled.what', values), t('emails.members.endpointDisabled.next')],
      }
    }
    case 'chargeback_received': {
      const values = { amount: money(content.amount, locale), invoice: content.invoiceNumber, shop }
      if (content.isEvidenceRefused || content.isEvidenceUnreadable) return evidenceWords(content, t, locale)
      return {
        subject: t('emails.members.chargeback.subject', values),
        paragraphs: [
          t('emails.members.chargeback.what', values),
          t('emails.reason', { reason: reasonText(content.reason, (known) => t(`chargebackReasons.${known}`)) }),
          ...afterDispute(content, t, locale),
        ],
      }
    }
    case 'withdrawal_declared':
      return withdrawalWords(content, t, locale)
    case 'renewal_uncollectable':
      return uncollectableWords(content, t, locale)
    case 'payout_created': {
      const values = { amount: money(content.amount, locale), shop }
      const { reference } = content
      return {
        subject: t('emails.members.payout.subject', values),
        paragraphs: [
          t('emails.members.payout.what', values),
          ...(reference === null ? [] : [t('emails.members.payout.reference', { reference })]),
          t('emails.members.payout.next'),
        ],
      }
    }
    case 'payout_returned': {
      const values = { amount: money(content.amount, locale), shop }
      return {
        subject: t('emails.members.payoutReturned.subject', values),
        paragraphs: [t('emails.members.payoutReturned.what', values), t('emails.members.payoutReturned.next')],
      }
    }
    case 'payout_account_changed': {
      const values = { account: content.account, date: dayAndTime(content.validFrom, locale), shop }
      return {
        subject: t('emails.members.payoutAccount.subject', values),
        paragraphs: [
          t('emails.members.payoutAccount.what', values),
          t('emails.members.payoutAccount.until'),
          ...(content.ownerUntil === undefined ? [t('emails.members.payoutAccount.stop', values)] : []),
        ],
      }
    }
    case 'access_changed':
      return accessWords(content, t, locale)
  }
}

function accessWords(
  content: InShop<MemberEmail & { readonly kind: 'access_changed' }>,
  t: Translator,
  locale: Locale,
): Omit<Words, 'action'> {
  const { by, change, ownerUntil, payoutsWaitUntil: waits, storefrontName: shop } = content
  return {
    subject: t('emails.members.access.subject', { shop }),
    paragraphs: [
      accessText(by, change, t),
      ...(waits
        ? [
            t('emails.members.access.payoutsWait', { date: dayAndTime(waits, locale) }),
            t('emails.members.payoutAccount.until'),
          ]
        : []),
      ...(ownerUntil === undefined ? [t('emails.members.access.next')] : []),
    ],
  }
}

function accessText(by: string, change: AccessChange, t: Translator): string {
  switch (change.of) {
    case 'invited':
    case 'removed':
      return t(`emails.members.access.${change.of}`, {
        by,
        email: change.email,
        role: t(`emails.members.roles.${change.role}`),
      })
    case 'role':
      return t('emails.members.access.role', { by, email: change.email, ...rolesIn(change, t) })
    case 'keyIssued':
    case 'keyRotated':
      return [
        t(`emails.members.access.${change.of}`, { by, hint: change.hint }),
        t('emails.members.access.keyScope', { scope: change.scope }),
      ].join(' ')
  }
}

const rolesIn = ({ from, to }: { readonly from: Role; readonly to: Role }, t: Translator) => ({
  from: t(`emails.members.roles.${from}`),
  to: t(`emails.members.roles.${to}`),
})

export function ownAccessWords(content: InShop<OwnAccessEmail>, t: Translator, locale: Locale): Words {
  const { change, storefrontName: shop, seller } = content
  const subject = t('emails.ownAccess.subject', { shop })
  const unexpected = t('emails.ownAccess.unexpected', { contact: contactOf(seller) })
  switch (change.of) {
    case 'role': {
      const what = t('emails.ownAccess.role', { by: change.by, shop, ...rolesIn(change, t) })
      return { subject, paragraphs: [what, unexpected], saysWhy: true, action: null }
    }
    case 'removed':
      return {
        subject,
        paragraphs: [t('emails.ownAccess.removed', { by: change.by, shop }), unexpected],
        saysWhy: true,
        action: null,
      }
    case 'passkeyRemoved': {
      const what = t('emails.ownAccess.passkeyRemoved', { name: change.name, shop })
      const action = { label: t('emails.passkeyAdded.open'), url: change.url }
      return { subject, paragraphs: [what, t('emails.ownAccess.passkeyNext')], saysWhy: true, action }
    }
    default:
      return signInWords(change, { shop, contact: contactOf(seller) }, t, locale)
  }
}

function uncollectableWords(
  content: InShop<MemberEmail & { readonly kind: 'renewal_uncollectable' }>,
  t: Translator,
  locale: Locale,
): Omit<Words, 'action'> {
  const values = {
    amount: money(content.amount, locale),
    date: day(content.dueAt, locale),
    method: content.method ? t(`common.methods.${content.method}`) : '',
    limit: content.limit ? money(content.limit, locale) : '',
    subscription: content.subscriptionName,
    shop: content.storefrontName,
  }
  return {
    subject: t('emails.members.uncollectable.subject', values),
    paragraphs: [
      t('emails.members.uncollectable.what', values),
      t(`emails.members.uncollectable.${content.broken}`, values),
      t(`emails.members.uncollectable.${content.broken === 'unsaved' ? 'nextUnsaved' : 'next'}`),
    ],
  }
}

type Withdrawn = InShop<MemberEmail & { readonly kind: 'withdrawal_declared' }>

function withdrawalWords(content: Withdrawn, t: Translator, locale: Locale): Omit<Words, 'action'> {
  const values = { number: content.number, shop: content.storefrontName }
  const subject = t('emails.members.withdrawal.subject', values)
  if ('arrived' in content) {
    const place = 'emails.members.withdrawal'
    const arrived = { amount: money(content.arrived, locale), invoice: content.invoiceNumber }
    return { subject, paragraphs: [t(content.isOfUnits ? `${place}.arrivedWithUnits` : `${place}.arrived`, arrived)] }
  }
  const items = (content.items ?? []).map((item) => itemText(t, locale, item))
  return {
    subject,
    paragraphs: [
      t('emails.members.withdrawal.what', values),
      ...(items.length === 0 ? [] : [t('emails.members.withdrawal.items', { items: items.join(', ') })]),
      ...endedWords({ ...content, underway: null }, t, locale),
      ...(content.reducedSubscriptions ?? []).map((each) => reducedText(t, locale, each)),
      ...refundWords(content, t, locale),
    ],
  }
}

function refundWords(
  { isPrepared = true, later, underway, underwayWithUnits }: Exclude<Withdrawn, { readonly arrived: unknown }>,
  t: Translator,
  locale: Locale,
): string[] {
  const owed = [
    ...(isPrepared ? [t('emails.members.withdrawal.prepared')] : []),
    ...(later ? [t('emails.members.withdrawal.later', { amount: money(later, locale) })] : []),
  ]
  const coming = [
    ...(underway ? [t('emails.members.withdrawal.underway', { amount: money(underway, locale) })] : []),
    ...(underwayWithUnits
      ? [t('emails.members.withdrawal.underwayWithUnits', { amount: money(underwayWithUnits, locale) })]
      : []),
  ]
  if (owed.length === 0) return [t('withdrawal.nothingPaid'), ...coming]
  return [[t('emails.members.withdrawal.next'), ...owed].join(' '), ...coming]
}

export const invitationWords = (content: InShop<InvitationEmail>, t: Translator): Words => ({
  subject: t('emails.invitation.subject', { shop: content.storefrontName }),
  paragraphs: [
    t('emails.invitation.what', { shop: content.storefrontName, name: content.invitedBy }),
    t('emails.invitation.next'),
  ],
  saysWhy: true,
  action: { label: t('emails.invitation.open'), url: content.url },
})

export const passwordResetWords = (content: InShop<PasswordResetEmail>, t: Translator): Words => ({
  subject: t('emails.passwordReset.subject'),
  paragraphs: [t('emails.passwordReset.what', { shop: content.storefrontName }), t('emails.passwordReset.next')],
  saysWhy: true,
  action: { label: t('emails.passwordReset.open'), url: content.url },
})

export function passkeyAddedWords(content: InShop<PasskeyAddedEmail>, t: Translator, locale: Locale): Words {
  const { passkeyName: name, storefrontName: shop } = content
  return {
    subject: t('emails.passkeyAdded.subject'),
    paragraphs: [
      t('emails.passkeyAdded.what', { name, shop, date: dayAndTime(content.addedAt, locale) }),
      t('emails.passkeyAdded.next'),
    ],
    saysWhy: true,
    action: { label: t('emails.passkeyAdded.open'), url: content.url },
  }
}

function evidenceWords(
  { amount, invoiceNumber, storefrontName, respondBy, isEvidenceUnreadable }: InShop<Disputed>,
  t: Translator,
  locale: Locale,
): Omit<Words, 'action'> {
  const values = { amount: money(amount, locale), invoice: invoiceNumber, shop: storefrontName }
  return {
    subject: t(`emails.members.chargeback.${isEvidenceUnreadable ? 'unreadableSubject' : 'refusedSubject'}`, values),
    paragraphs: [
      t(`emails.members.chargeback.${isEvidenceUnreadable ? 'unreadable' : 'refused'}`, values),
      respondBy
        ? t('emails.members.chargeback.againUntil', { date: dayAndTime(respondBy, locale) })
        : t('emails.members.chargeback.again'),
    ],
  }
}

function afterDispute(
  { needsReview, deducted, taken, fee, respondBy }: Disputed,
  t: Translator,
  locale: Locale,
): string[] {
  if (needsReview) return [t('emails.members.chargeback.review')]
  if (!deducted || !taken || !fee) return [t('emails.members.chargeback.next')]
  const values = { deducted: money(deducted, locale), taken: money(taken, locale), fee: money(fee, locale) }
  return [
    t('emails.members.chargeback.deducted', values),
    ...(respondBy ? [t('emails.members.chargeback.respond', { date: dayAndTime(respondBy, locale) })] : []),
  ]
}
