import { countryName, day, hasRate, money, percent, taxName, wholeNumber } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { DirectDebit } from '../../kernel/sepa.ts'
import type { Translator } from '../../platform/translate.ts'
import { withdrawalFormFields } from '../orders/page.ts'
import type {
  ChargeNoticeEmail,
  ConfirmationEmail,
  EmailContent,
  EmailDocument,
  EmailSubscription,
  EmailWithdrawal,
  InvoiceCorrectedEmail,
  ReceiptEmail,
  RefundEmail,
} from './rules/email.ts'
import type { Table, Words } from './words.ts'

type Rows = Table['rows']

type CommonFields = Pick<EmailContent, 'storefrontName' | 'seller' | 'timeZone' | 'opensPortal'>

export const waitingWords = (
  waiting: ReceiptEmail['waiting'],
  t: Translator,
  key: 'emails.recovered.waiting' | 'emails.paymentFailed.waiting',
  locale: Locale,
): string[] => (waiting ? [t(key, { count: waiting.count, total: money(waiting.total, locale) })] : [])

const portalWords = (
  offer: 'purchases' | 'subscriptions' | 'cancelBefore',
  { opensPortal = false }: Pick<EmailContent, 'opensPortal'>,
  t: Translator,
): string => `${t(`emails.portal.${offer}`)} ${t(opensPortal ? 'emails.portal.personal' : 'emails.portal.signIn')}`

export function receiptWords(content: ReceiptEmail & CommonFields, t: Translator, locale: Locale): Words {
  const { document, subscriptions, of, waiting } = content
  const [first] = subscriptions
  const values = {
    shop: content.storefrontName,
    subscription: first?.name ?? '',
    number: document.number,
    amount: money(document.total, locale),
  }
  return {
    subject: t(`emails.receipt.${of}.subject`, values),
    paragraphs: [
      content.kind === 'payment_recovered'
        ? t('emails.recovered.what', values)
        : t(`emails.receipt.${of}.what`, values),
      ...waitingWords(waiting, t, 'emails.recovered.waiting', locale),
      t('emails.receipt.attached'),
      ...(content.statementName ? [t('common.onStatement', { name: content.statementName })] : []),
    ],
    tables: [
      {
        heading: t('invoice.title', { number: document.number }),
        isSum: true,
        rows: documentRows(document, t('invoice.total'), t, locale),
      },
      ...subscriptions.map((each) => subscriptionTable(each, t, locale, content.timeZone)),
    ],
    closing: [
      portalWords(subscriptions.some(({ hasEnded }) => !hasEnded) ? 'subscriptions' : 'purchases', content, t),
      ...(of === 'purchase' ? withdrawalOf(content, t, locale) : []),
    ],
    links: of === 'purchase' ? agreedLinks(content, t) : [],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
    appendix: of === 'purchase' ? withdrawalForm(content, t, locale) : null,
  }
}

export function confirmationWords(content: ConfirmationEmail & CommonFields, t: Translator, locale: Locale): Words {
  const values = { shop: content.storefrontName }
  return {
    subject: t('emails.confirmation.subject', values),
    paragraphs: [t('emails.confirmation.what', values)],
    tables: content.subscriptions.map((each) => subscriptionTable(each, t, locale, content.timeZone)),
    closing: [portalWords('subscriptions', content, t), ...withdrawalOf(content, t, locale)],
    links: agreedLinks(content, t),
    action: { label: t('emails.portal.open'), url: content.portalUrl },
    appendix: withdrawalForm(content, t, locale),
  }
}

export function refundWords(content: RefundEmail & CommonFields, t: Translator, locale: Locale): Words {
  const { document, invoiceNumber, cause = 'refund' } = content
  const { number } = document
  const values = {
    shop: content.storefrontName,
    number,
    invoice: invoiceNumber,
    amount: money(document.total, locale),
  }
  const rows = documentRows(document, t('invoice.creditNote.total'), t, locale)
  return {
    subject: t(`emails.${cause}.subject`, values),
    paragraphs: [t(`emails.${cause}.what`, values), t(`emails.${cause}.next`), t('emails.refund.attached')],
    tables: [{ heading: t('invoice.creditNote.title', { number }), isSum: true, rows }],
    closing: [portalWords('purchases', content, t)],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
  }
}

export function invoiceCorrectedWords(
  content: InvoiceCorrectedEmail & CommonFields,
  t: Translator,
  locale: Locale,
): Words {
  const { document } = content
  const { number } = document
  const values = {
    shop: content.storefrontName,
    number,
    invoice: content.invoiceNumber,
    creditNote: content.creditNoteNumber,
    amount: money(content.tax, locale),
  }
  const rows = documentRows(document, t('invoice.total'), t, locale)
  return {
    subject: t('emails.invoiceCorrected.subject', values),
    paragraphs: [
      t('emails.invoiceCorrected.what', values),
      t('emails.invoiceCorrected.tax', values),
      t('emails.invoiceCorrected.attached'),
    ],
    tables: [{ heading: t('invoice.title', { number }), isSum: true, rows }],
    closing: [portalWords('purchases', content, t)],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
  }
}

const places = {
  trial_ending: 'emails.trialEnding',
  renewal_notice: 'emails.renewalNotice',
  debit_notice: 'emails.debitNotice',
} as const

export function chargeNoticeWords(content: ChargeNoticeEmail & CommonFields, t: Translator, locale: Locale): Words {
  const { subscription, nextCharge, insteadOf, from = subscription } = content
  // A renewal notice for a resumed trial has the text of a trial notice. The kind stays `renewal_notice`, because a
  // storefront can switch off trial notices but not renewal notices.
  const isOfTrial = content.kind === 'renewal_notice' && subscription.trialUntil === nextCharge.at
  const place = insteadOf ? 'emails.chargeChanged' : places[isOfTrial ? 'trial_ending' : content.kind]
  const values = {
    shop: content.storefrontName,
    subscription: subscription.name,
    date: day(nextCharge.at, locale, content.timeZone),
    amount: money(nextCharge.total, locale),
    account: subscription.directDebit?.account ?? '',
    dateBefore: insteadOf ? day(insteadOf.at, locale, content.timeZone) : '',
    amountBefore: insteadOf ? money(insteadOf.total, locale) : '',
  }
  return {
    subject: t(`${place}.subject`, values),
    paragraphs: [
      t(`${place}.what`, values),
      ...waitingWords(content.waiting, t, 'emails.paymentFailed.waiting', locale),
    ],
    tables: [subscriptionTable(from, t, locale, content.timeZone)],
    closing: [portalWords('cancelBefore', content, t)],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
  }
}

/** Confirms the right of withdrawal, or the buyer's consent to lose this right (Directive 2011/83/EU, art. 8(7)). */
function withdrawalOf(
  { withdrawal, subscriptions, seller, timeZone }: Pick<ReceiptEmail, 'withdrawal' | 'subscriptions'> & CommonFields,
  t: Translator,
  locale: Locale,
): string[] {
  if (!withdrawal) return []
  const { kind, beginsAtOnce, lastDay, until = '' } = withdrawal
  const date = lastDay === undefined ? day(until, locale, timeZone) : day(lastDay, locale)
  const lasts = t('checkout.withdrawal.lasts', { date, seller: seller.name })
  if (!beginsAtOnce) return [lasts]
  const free = subscriptions.some(({ trialUntil }) => trialUntil !== null) ? ` ${t('checkout.withdrawal.trial')}` : ''
  const begun = t(`checkout.withdrawal.begun.${kind}`) + free
  return isLost(withdrawal) ? [begun] : [begun, lasts]
}

/** The buyer must get the withdrawal form on a durable medium (Directive 2011/83/EU, art. 6(1)(h), 8(7), annex I(B)). */
function withdrawalForm(
  { withdrawal, seller }: Pick<ReceiptEmail, 'withdrawal'> & CommonFields,
  t: Translator,
  locale: Locale,
): Table | null {
  if (!withdrawal || isLost(withdrawal)) return null
  const to = [seller.name, ...seller.addressLines, countryName(seller.country, locale), seller.email ?? '']
  return {
    heading: t('withdrawalForm.heading'),
    rows: withdrawalFormFields.map((field) => ({
      label: t(`withdrawalForm.${field}`),
      value: field === 'to' ? to.filter((line) => line !== '').join(', ') : '',
    })),
    note: t('withdrawalForm.delete'),
  }
}

/** The buyer loses the right of withdrawal by requesting immediate delivery of digital content (Directive 2011/83/EU, art. 16(m)). */
const isLost = ({ kind, beginsAtOnce }: EmailWithdrawal): boolean => kind === 'digital_content' && beginsAtOnce

const agreedLinks = ({ termsUrl, withdrawal }: Pick<ReceiptEmail, 'termsUrl' | 'withdrawal'>, t: Translator) => [
  ...(termsUrl === null ? [] : [{ label: t('emails.portal.terms'), url: termsUrl }]),
  ...(withdrawal?.url ? [{ label: t('withdrawal.open'), url: withdrawal.url }] : []),
]

function documentRows(
  { lines, subtotal, taxes, total }: EmailDocument,
  totalLabel: string,
  t: Translator,
  locale: Locale,
): Rows {
  return [
    ...lines.map(({ description, quantity, subtotal }) => ({
      label: times(description, quantity, t, locale),
      value: money(subtotal, locale),
    })),
    ...(taxes.length > 0 ? [{ label: t('invoice.subtotal'), value: money(subtotal, locale) }] : []),
    ...taxes.map((tax) => ({ label: taxLabel(tax, t, locale), value: money(tax.amount, locale) })),
    { label: totalLabel, value: money(total, locale), isTotal: true },
  ]
}

function taxLabel({ name: known, percentage }: EmailDocument['taxes'][number], t: Translator, locale: Locale): string {
  const name = taxName(known, (key) => t(`common.taxNames.${key}`))
  return hasRate(known) ? t('emails.receipt.tax', { name, rate: percent(percentage, locale) }) : name
}

function subscriptionTable(
  subscription: EmailSubscription,
  t: Translator,
  locale: Locale,
  timeZone: CommonFields['timeZone'],
): Table {
  const { name, quantity, every, price, withTax, trialUntil, nextCharge, directDebit } = subscription
  const values = {
    price: money(price, locale),
    every: t(`common.every.${every.interval}`, { count: every.intervalCount }),
  }
  const rows: (Rows[number] | null)[] = [
    {
      label: t('emails.subscription.price'),
      value: t(withTax ? 'emails.subscription.priceWithTax' : 'emails.subscription.priceEvery', values),
    },
    trialUntil === null
      ? null
      : { label: t('emails.subscription.freeUntil'), value: day(trialUntil, locale, timeZone) },
    nextCharge && {
      label: t('emails.subscription.nextCharge'),
      value: t('emails.subscription.nextChargeOn', {
        total: money(nextCharge.total, locale),
        date: day(nextCharge.at, locale, timeZone),
      }),
    },
  ]
  const all = [...rows, ...(directDebit ? directDebitRows(directDebit, t) : [])]
  return { heading: times(name, quantity, t, locale), rows: all.filter((row) => row !== null) }
}

const directDebitRows = ({ creditorId, mandateReference, account }: DirectDebit, t: Translator) => [
  { label: t('emails.directDebit.account'), value: account },
  { label: t('emails.directDebit.mandate'), value: mandateReference },
  ...(creditorId === null ? [] : [{ label: t('emails.directDebit.creditor'), value: creditorId }]),
]

export const directDebitTable = (debit: DirectDebit, t: Translator): Table => ({
  heading: t('common.methods.directdebit'),
  rows: directDebitRows(debit, t),
})

const times = (name: string, quantity: number, t: Translator, locale: Locale): string =>
  quantity === 1 ? name : t('emails.times', { name, quantity: wholeNumber(quantity, locale) })
