import { escapeHtml } from '../../kernel/html.ts'
import type { Locale } from '../../kernel/locale.ts'
import { type BrandInWords, headAsHtml, type Link } from './brand-words.ts'
import type { Table, Words } from './words.ts'

/** Of these an email may have none. */
type Lists = 'tables' | 'closing' | 'links'

/** An email's words with those that all emails have. */
export interface Wording extends Omit<Words, Lists>, Required<Pick<Words, Lists>> {
  readonly testMode: string | null
  readonly brand: BrandInWords
  readonly orOpen: string
  readonly why: string | null
  readonly address: readonly string[]
  /** A label and its value on a line of plain text. */
  readonly row: (label: string, value: string) => string
}

/** The email as plain text. */
export function asText(words: Wording): string {
  const { paragraphs, tables, closing, links, action, appendix, brand, row } = words
  const { support, papers } = brand
  const tableAsText = ({ heading, rows, note }: Table) =>
    [heading, ...rows.map(({ label, value }) => row(label, value).trimEnd()), ...(note ? [note] : [])].join('\n')
  const blocks = [
    ...(words.testMode === null ? [] : [words.testMode]),
    ...paragraphs,
    ...tables.map(tableAsText),
    ...closing,
    ...links.map(({ label, url }) => `${label}\n${url}`),
    ...(action ? [`${action.label}\n${action.url}`] : []),
    ...(support ? [[support.question, ...support.links.map(({ label }) => label)].join('\n')] : []),
    ...(appendix ? [tableAsText(appendix)] : []),
    ...(words.why === null ? [] : [words.why]),
    words.address.join('\n'),
    ...(papers.length > 0 ? [papers.map(({ label, url }) => row(label, url)).join('\n')] : []),
  ]
  return `${blocks.join('\n\n')}\n`
}

/**
 * The email as a page. No color but the accent's, below the shop's name and on the button, so that light and dark readers keep their own.
 * Nothing is loaded but the storefront's logo. The language is set inside the body too, since some readers take that
 * alone.
 */
export function asHtml(words: Wording, locale: Locale): string {
  const { paragraphs, tables, closing, links, action, appendix, brand, testMode, why } = words
  const { accent, onAccent } = brand.colors
  const { support, papers } = brand
  const paragraph = (html: string, style = '') => `<p style="margin:0 0 16px;${style}">${html}</p>`
  const small = 'font-size:14px;'
  const line = 'padding-top:16px;border-top:1px solid;'
  return `${[
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(words.subject)}</title>`,
    '</head>',
    '<body style="margin:0;padding:0">',
    `<div lang="${locale}" style="max-width:560px;margin:0 auto;padding:24px 16px;${fonts}font-size:16px;line-height:1.5">`,
    ...(testMode === null ? [] : [paragraph(escapeHtml(testMode), `padding:4px 12px;border:1px solid;${small}`)]),
    paragraph(
      headAsHtml(brand),
      `padding-bottom:12px;border-bottom:3px solid ${accent};font-size:18px;font-weight:600`,
    ),
    ...paragraphs.map((each) => paragraph(escapeHtml(each))),
    ...tables.map(tableAsHtml),
    ...closing.map((each) => paragraph(escapeHtml(each))),
    ...links.map((each) => paragraph(linkAsHtml(each))),
    ...(action
      ? [
          paragraph(
            `<a href="${escapeHtml(action.url)}" style="background:${accent};color:${onAccent};${button}">${escapeHtml(action.label)}</a>`,
          ),
          paragraph(
            `${escapeHtml(words.orOpen)}<br><a href="${escapeHtml(action.url)}" style="color:inherit;word-break:break-all">${escapeHtml(action.url)}</a>`,
            small,
          ),
        ]
      : []),
    ...(support
      ? [paragraph([escapeHtml(support.question), ...support.links.map(linkAsHtml)].join('<br>'), small)]
      : []),
    ...(appendix ? [tableAsHtml(appendix)] : []),
    ...(why === null ? [] : [paragraph(escapeHtml(why), `${line}${small}`)]),
    paragraph(words.address.map(escapeHtml).join('<br>'), why === null ? `${line}${small}` : small),
    ...(papers.length > 0 ? [paragraph(papers.map(linkAsHtml).join(' · '), small)] : []),
    '</div>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

const linkAsHtml = ({ label, url }: Link): string =>
  `<a href="${escapeHtml(url)}" style="color:inherit;word-break:break-all">${escapeHtml(label)}</a>`

/**
 * The lines are half transparent, so that they are light on white and on black. Beside sums, which do not break, a
 * label has what is left; other values have a width of their own, so that on a phone no reference squeezes its label.
 */
function tableAsHtml({ heading, isSum = false, rows, note }: Table): string {
  const cell = 'padding:6px 0;border-top:1px solid rgba(128,128,128,0.5);vertical-align:top;'
  const ofLabel = isSum ? 'overflow-wrap:anywhere' : 'overflow-wrap:break-word;hyphens:auto;width:36%'
  const label = `text-align:left;${ofLabel}`
  const value = `padding-left:12px;text-align:${isSum ? 'right;white-space:nowrap' : 'left;overflow-wrap:break-word'}`
  return [
    `<table style="width:100%;${isSum ? '' : 'table-layout:fixed;'}border-collapse:collapse;margin:0 0 24px">`,
    `<caption style="padding:0 0 6px;text-align:left;font-weight:600">${escapeHtml(heading)}</caption>`,
    ...rows.map(({ label: name, value: content, isTotal = false }) => {
      const own = `${cell}font-weight:${isTotal ? 600 : 400};`
      if (content === '')
        return `<tr><th scope="row" colspan="2" style="${own}text-align:left">${escapeHtml(name)}</th></tr>`
      return [
        `<tr><th scope="row" style="${own}${label}">${escapeHtml(name)}</th>`,
        `<td style="${own}${value}">${escapeHtml(content)}</td></tr>`,
      ].join('')
    }),
    ...(note ? [`<tr><td colspan="2" style="${cell}font-size:14px">${escapeHtml(note)}</td></tr>`] : []),
    '</table>',
  ].join('\n')
}

const fonts = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;'
const button = 'display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none'
