import { countryName } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import { plainLine } from '../../kernel/text.ts'
import { type Translator, translator } from '../../platform/translate.ts'
import { brandInWords } from './brand-words.ts'
import { asHtml } from './html.tsx'
import { invitationWords, memberWords, ownAccessWords, passkeyAddedWords, passwordResetWords } from './member-words.ts'
import {
  customerLinkWords,
  emailChangedWords,
  emailChangeWords,
  portalLinkWords,
  withdrawalReceivedWords,
} from './portal-words.ts'
import {
  chargeNoticeWords,
  confirmationWords,
  invoiceCorrectedWords,
  receiptWords,
  refundWords,
} from './receipt-words.ts'
import {
  changeUndoneWords,
  methodNeededWords,
  nonpaymentWords,
  paymentFailedWords,
  purchaseUnpaidWords,
} from './recovery-words.ts'
import { asText, type Wording } from './rendering.ts'
import type { Composed, EmailContent, EmailKind } from './rules/email.ts'
import { isForMember } from './rules/for-member.ts'
import {
  billingUpdatedWords,
  cancellationWords,
  methodMissingWords,
  subscriptionEndedWords,
} from './subscription-words.ts'
import { transferWords } from './transfer-words.ts'
import type { Words } from './words.ts'

export async function compose(content: EmailContent, locale: Locale, testmode: boolean): Promise<Composed> {
  const said = await wording(withPlainNames(content), locale, testmode)
  return { subject: said.subject, text: asText(said), html: await asHtml(said, locale) }
}

function withPlainNames(content: EmailContent): EmailContent {
  const plain = plainTexts(content)
  return { ...plain, customerName: plain.customerName || null }
}

function plainTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return plainLine(value) as Value
  if (Array.isArray(value)) return value.map(plainTexts) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainTexts(each)])) as Value
}

type WordsFor<Kind extends EmailKind> = (
  content: EmailContent & { readonly kind: Kind },
  t: Translator,
  locale: Locale,
) => Words

const wordsFor: { readonly [Kind in EmailKind]: WordsFor<Kind> } = {
  receipt: receiptWords,
  payment_recovered: receiptWords,
  subscription_confirmation: confirmationWords,
  trial_ending: chargeNoticeWords,
  renewal_notice: chargeNoticeWords,
  debit_notice: chargeNoticeWords,
  refund: refundWords,
  invoice_corrected: invoiceCorrectedWords,
  billing_updated: billingUpdatedWords,
  cancellation: cancellationWords,
  subscription_ended: subscriptionEndedWords,
  payment_method_missing: methodMissingWords,
  payment_failed: paymentFailedWords,
  payment_method_needed: methodNeededWords,
  canceled_for_nonpayment: nonpaymentWords,
  change_undone: changeUndoneWords,
  review_decided: memberWords,
  endpoint_disabled: memberWords,
  chargeback_received: memberWords,
  payout_created: memberWords,
  payout_returned: memberWords,
  payout_account_changed: memberWords,
  withdrawal_declared: memberWords,
  access_changed: memberWords,
  renewal_uncollectable: memberWords,
  withdrawal_received: withdrawalReceivedWords,
  transfer_instructions: transferWords,
  purchase_unpaid: purchaseUnpaidWords,
  member_invitation: invitationWords,
  password_reset: passwordResetWords,
  passkey_added: passkeyAddedWords,
  own_access_changed: ownAccessWords,
  email_change: emailChangeWords,
  email_changed: emailChangedWords,
  portal_link: portalLinkWords,
  customer_link: customerLinkWords,
}

const whyOf = ({ kind, storefrontName: shop, seller }: EmailContent, t: Translator): string =>
  isForMember(kind) ? t('emails.members.why', { shop }) : t('checkout.about.seller', { seller: seller.name, shop })

async function wording(content: EmailContent, locale: Locale, testmode: boolean): Promise<Wording> {
  const t = await translator(locale)
  const { customerName: name, seller } = content
  const words = (wordsFor[content.kind] as WordsFor<EmailKind>)(content, t, locale)
  const greeting = name === null ? t('emails.greeting') : t('emails.greetingNamed', { name })
  return {
    tables: [],
    closing: [],
    links: [],
    ...words,
    brand: brandInWords(content, t),
    paragraphs: [greeting, ...words.paragraphs],
    testMode: testmode ? t('common.testMode') : null,
    orOpen: t('emails.link'),
    why: words.saysWhy ? null : whyOf(content, t),
    address: [
      ...[seller.name, ...seller.addressLines, countryName(seller.country, locale)],
      ...(seller.email ? [seller.email] : []),
    ],
    row: (label, value) => t('emails.row', { label, value }),
  }
}
