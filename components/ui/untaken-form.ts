import { createHash } from 'node:crypto'
import type { Words } from '@/components/checkout/details-text.ts'
import { labels } from '@/components/checkout/problem-text.ts'
import { countryName } from '@/components/format.ts'
import { isCountry } from '@/lib/kernel/countries.ts'
import { escapeHtml } from '@/lib/kernel/html.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import { type BuyerField, buyerFields } from '@/lib/modules/checkouts/page.ts'
import { paymentMethods } from '@/lib/modules/payments/page.ts'

/** The reason why a form was not accepted, and the number of seconds until the reader may send it again. */
export interface Untaken {
  /**
   * `busy`: too many forms arrived, so this form was not processed. `down`: the service did not respond, so the result is unknown.
   * `payments`: the payment provider is unavailable, and this form charged nothing.
   */
  readonly why: 'busy' | 'down' | 'payments'
  readonly seconds: number
}

interface UntakenForm {
  readonly untaken: Untaken
  readonly action: string
  readonly entries: readonly (readonly [string, string])[]
  readonly locale: Locale
  readonly t: Words
}

/**
 * The HTML response to a form that was not accepted: the reason, all entered values, and the same form again. The page needs neither the database nor a script.
 */
export function untakenForm({ untaken, action, entries, locale, t }: UntakenForm): string {
  const [heading, ...texts] = reasonTexts(untaken, t)
  const typed = entries.flatMap(([name, value]) => typedText(name, value, locale, t) ?? [])
  return `${[
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(heading)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${escapeHtml(heading)}</h1>`,
    ...texts.map((text) => `<p>${escapeHtml(text)}</p>`),
    `<form action="${escapeHtml(action)}" method="post">`,
    ...entries.map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`),
    `<button type="submit">${escapeHtml(t('errors.form.retry'))}</button>`,
    '</form>',
    ...(typed.length === 0
      ? []
      : [
          `<h2>${escapeHtml(t('errors.form.kept'))}</h2>`,
          '<dl>',
          ...typed.map(({ label, text }) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(text)}</dd></div>`),
          '</dl>',
        ]),
    '</main>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

function reasonTexts({ why, seconds }: Untaken, t: Words): [heading: string, ...texts: string[]] {
  if (why === 'busy') return [t('errors.form.busy.heading'), t('errors.form.busy.text', { seconds })]
  return [t(`errors.form.${why}.heading`), t(`errors.form.${why}.text`), t('errors.form.down.safe')]
}

/** The readable label and the entered value of a field. Null for fields that a buyer does not fill in. */
function typedText(name: string, value: string, locale: Locale, t: Words): { label: string; text: string } | null {
  const field = buyerFields.find((each) => each === name)
  if (!field || value.trim() === '') return null
  const text = valueText(field, value, locale, t)
  return text === null ? null : { label: t(`checkout.${labels[field]}`), text }
}

function valueText(field: BuyerField, value: string, locale: Locale, t: Words): string | null {
  if (field === 'country') return isCountry(value) ? countryName(value, locale) : value
  if (field !== 'paymentMethod') return value
  const method = paymentMethods.find((each) => each === value)
  return method ? t(`common.methods.${method}`) : null
}

/** Repeats the necessary rules of `app/globals.css`, because the stylesheet may be unavailable. */
const style = `
:root { color-scheme: light dark; --paper: #fff; --ground: #f6f5f2; --ink: #1b1c1f; --soft: #5b5e66; --line: #e4e2dd;
  --accent: #2746c7; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1c20; --ground: #131417; --ink: #eeeeef; --soft: #a6a9b1;
  --line: #33353b; --accent: #9db1ff; --on-accent: #10142a } }
* { box-sizing: border-box }
body { margin: 0; padding: 32px 20px; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif }
main { max-width: 512px; margin: 0 auto; padding: 32px 24px; background: var(--paper); border: 1px solid var(--line);
  border-radius: 8px }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 32px }
h2 { margin: 32px 0 8px; font-size: 18px }
p { margin: 0 0 12px }
button { width: 100%; min-height: 52px; margin-top: 12px; padding: 12px 20px; border: 0; border-radius: 8px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); font: inherit; font-size: 18px; font-weight: 600 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
dl { margin: 0; border-top: 1px solid var(--line) }
dl div { padding: 8px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--soft); font-size: 14px }
dd { margin: 0; white-space: pre-wrap }
`

/**
 * The Content-Security-Policy of this response. If the form can redirect to another site, the policy allows every site,
 * because this code cannot look up the shop's origins (see `proxy.ts`).
 */
export const untakenFormPolicy = ({ leavesSite }: { leavesSite: boolean }): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self'${leavesSite ? ' https: http:' : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
