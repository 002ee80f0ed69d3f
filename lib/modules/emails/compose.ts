import { countryName, day, dayAndTime, money } from '../../kernel/format.ts'
import { escapeHtml } from '../../kernel/html.ts'
import type { Locale } from '../../kernel/locale.ts'
import { plainLine } from '../../kernel/text.ts'
import { translator } from '../../platform/translate.ts'
import type { Composed, EmailContent, RecoveryEmail } from './rules/email.ts'

/**
 * Composes an email in a language. The message catalog of a language is loaded when the first email in it is composed.
 */
export async function compose(mail: EmailContent, locale: Locale, testmode: boolean): Promise<Composed> {
  const said = await wording(withPlainNames(mail), locale, testmode)
  return { subject: said.subject, text: asText(said), html: asHtml(said, locale) }
}

/** Removes control and direction characters from names that others typed. */
function withPlainNames(mail: EmailContent): EmailContent {
  const { storefrontName, customerName, seller } = mail
  return {
    ...mail,
    ...('subscriptionName' in mail && { subscriptionName: plainLine(mail.subscriptionName) }),
    storefrontName: plainLine(storefrontName),
    customerName: plainLine(customerName ?? '') || null,
    seller: { ...seller, name: plainLine(seller.name), addressLines: seller.addressLines.map(plainLine) },
  }
}

interface Wording {
  readonly subject: string
  readonly testMode: string | null
  readonly paragraphs: readonly string[]
  readonly action: { readonly label: string; readonly url: string; readonly orOpen: string } | null
  readonly seller: string
  readonly address: readonly string[]
}

const reminders = { 1: 'first', 2: 'second', 3: 'last' } as const

/** Where the texts of an email are: its own below `words`, those of its kind below `kind`. */
function placeOf(mail: EmailContent) {
  switch (mail.kind) {
    case 'payment_failed':
      return { words: 'emails.paymentFailed', kind: 'emails.paymentFailed' } as const
    case 'canceled_for_nonpayment':
      return { words: 'emails.canceled', kind: 'emails.canceled' } as const
    case 'portal_link':
      return { words: 'emails.portalLink', kind: 'emails.portalLink' } as const
    case 'payment_method_needed':
      return { words: `emails.methodNeeded.${reminders[mail.reminder]}`, kind: 'emails.methodNeeded' } as const
  }
}

/** The values that the texts of an email name. */
function valuesOf(mail: EmailContent, locale: Locale) {
  const shop = { shop: mail.storefrontName }
  if (!('amount' in mail)) return { ...shop, subscription: '', amount: '', date: '' }
  return {
    ...shop,
    subscription: mail.subscriptionName,
    amount: money(mail.amount, locale),
    date: dateOf(mail, locale),
  }
}

/** The button of an email. */
function actionOf(mail: EmailContent): { label: 'emails.update' | 'emails.portalLink.open'; url: string } | null {
  if (mail.kind === 'portal_link') return { label: 'emails.portalLink.open', url: mail.url }
  return 'updateUrl' in mail ? { label: 'emails.update', url: mail.updateUrl } : null
}

/** The deadline or the day: with the time where missing it has a consequence. */
function dateOf(mail: RecoveryEmail, locale: Locale): string {
  if (mail.kind === 'payment_failed') return day(mail.nextAttemptAt, locale)
  return mail.kind === 'payment_method_needed' ? dayAndTime(mail.endsAt, locale) : ''
}

async function wording(mail: EmailContent, locale: Locale, testmode: boolean): Promise<Wording> {
  const t = await translator(locale)
  const { words, kind } = placeOf(mail)
  const values = valuesOf(mail, locale)
  const action = actionOf(mail)
  const { customerName: name, seller } = mail
  const reason = 'reason' in mail ? [t('emails.reason', { reason: t(`failureReasons.${mail.reason}.name`) })] : []
  return {
    subject: t(`${words}.subject`, values),
    testMode: testmode ? t('common.testMode') : null,
    paragraphs: [
      name === null ? t('emails.greeting') : t('emails.greetingNamed', { name }),
      t(`${words}.what`, values),
      ...reason,
      t(`${kind}.next`, values),
    ],
    action: action && { label: t(action.label), url: action.url, orOpen: t('emails.link') },
    seller: t('checkout.about.seller', { seller: seller.name, shop: mail.storefrontName }),
    address: [seller.name, ...seller.addressLines, countryName(seller.country, locale)],
  }
}

function asText({ testMode, paragraphs, action, seller, address }: Wording): string {
  const blocks = [
    ...(testMode === null ? [] : [testMode]),
    ...paragraphs,
    ...(action ? [`${action.label}\n${action.url}`] : []),
    seller,
    address.join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/**
 * No color but the button's, so that light and dark readers keep their own; nothing is loaded from anywhere. The
 * language is set inside the body too, since some readers take that alone.
 */
function asHtml({ subject, testMode, paragraphs, action, seller, address }: Wording, locale: Locale): string {
  const paragraph = (html: string, style = '') => `<p style="margin:0 0 16px;${style}">${html}</p>`
  const small = 'font-size:14px;'
  return `${[
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    '</head>',
    '<body style="margin:0;padding:0">',
    `<div lang="${locale}" style="max-width:560px;margin:0 auto;padding:24px 16px;${fonts}font-size:16px;line-height:1.5">`,
    ...(testMode === null ? [] : [paragraph(escapeHtml(testMode), `padding:4px 12px;border:1px solid;${small}`)]),
    ...paragraphs.map((each) => paragraph(escapeHtml(each))),
    ...(action
      ? [
          paragraph(`<a href="${escapeHtml(action.url)}" style="${button}">${escapeHtml(action.label)}</a>`),
          paragraph(
            `${escapeHtml(action.orOpen)}<br><a href="${escapeHtml(action.url)}" style="color:inherit;word-break:break-all">${escapeHtml(action.url)}</a>`,
            small,
          ),
        ]
      : []),
    paragraph(escapeHtml(seller), `padding-top:16px;border-top:1px solid;${small}`),
    paragraph(address.map(escapeHtml).join('<br>'), small),
    '</div>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

const fonts = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;'
/** White on blue: a contrast of 6.7 to 1, on any background. */
const button =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none'
