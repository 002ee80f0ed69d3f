import { type CSSProperties, Fragment, type ReactNode } from 'react'
import type { Locale } from '../../kernel/locale.ts'
import type { LogoView } from '../brand/page.ts'
import type { BrandInWords, Link } from './brand-words.ts'
import type { Wording } from './rendering.ts'
import type { Table } from './words.ts'

/**
 * Returns HTML that loads nothing except the storefront's logo. Only the button and the line below the shop's name have
 * the accent color; mail programs choose the other colors, in light or dark mode.
 */
export async function asHtml(words: Wording, locale: Locale): Promise<string> {
  // The import is dynamic, because the admin area renders previews of emails, and Next.js refuses a static import of the renderer there.
  const { renderToStaticMarkup } = await import('react-dom/server')
  return `<!doctype html>\n${renderToStaticMarkup(<Email words={words} locale={locale} />)}\n`
}

const small: CSSProperties = { fontSize: '14px' }
const line: CSSProperties = { paddingTop: '16px', borderTop: '1px solid' }
const link: CSSProperties = { color: 'inherit', wordBreak: 'break-all' }
const page: CSSProperties = {
  maxWidth: '560px',
  margin: '0 auto',
  padding: '24px 16px',
  fontFamily: 'system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  fontSize: '16px',
  lineHeight: 1.5,
}
const button: CSSProperties = {
  display: 'inline-block',
  padding: '12px 20px',
  borderRadius: '8px',
  fontWeight: 600,
  textDecoration: 'none',
}

function Email({ words, locale }: { readonly words: Wording; readonly locale: Locale }) {
  const { paragraphs, tables, closing, links, appendix, brand, testMode, why } = words
  const title: CSSProperties = {
    paddingBottom: '12px',
    borderBottom: `3px solid ${brand.colors.accent}`,
    fontSize: '18px',
    fontWeight: 600,
  }
  return (
    <html lang={locale}>
      {/* biome-ignore lint/style/noHeadElement: an email is not a page of Next */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{words.subject}</title>
      </head>
      <body style={{ margin: 0, padding: 0 }}>
        <div lang={locale} style={page}>
          {testMode !== null && (
            <Paragraph style={{ padding: '4px 12px', border: '1px solid', ...small }}>{testMode}</Paragraph>
          )}
          <Paragraph style={title}>
            <Head {...brand} />
          </Paragraph>
          <Paragraphs texts={paragraphs} />
          <Tables tables={tables} />
          <Paragraphs texts={closing} />
          {each(links, (of) => (
            <Paragraph>
              <TextLink {...of} />
            </Paragraph>
          ))}
          <Action {...words} />
          <Support support={brand.support} />
          <Tables tables={appendix ? [appendix] : []} />
          {why !== null && <Paragraph style={{ ...line, ...small }}>{why}</Paragraph>}
          <Paragraph style={why === null ? { ...line, ...small } : small}>
            <Separated by={<br />} parts={words.address} />
          </Paragraph>
          <Papers papers={brand.papers} />
        </div>
      </body>
    </html>
  )
}

/** The React key is the index, because two texts can be equal. The index is a safe key, because an email is rendered only once. */
const each = <Item,>(items: readonly Item[], rendered: (item: Item, index: number) => ReactNode) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  items.map((item, index) => <Fragment key={index}>{rendered(item, index)}</Fragment>)

const Paragraph = ({ style, children }: { readonly style?: CSSProperties; readonly children: ReactNode }) => (
  <p style={{ margin: '0 0 16px', ...style }}>{children}</p>
)

const Paragraphs = ({ texts }: { readonly texts: readonly string[] }) =>
  each(texts, (text) => <Paragraph>{text}</Paragraph>)

const TextLink = ({ label, url }: Link) => (
  <a href={url} style={link}>
    {label}
  </a>
)

const Separated = ({ by, parts }: { readonly by: ReactNode; readonly parts: readonly ReactNode[] }) =>
  each(parts, (part, index) => (
    <>
      {index > 0 && by}
      {part}
    </>
  ))

const linksOf = (links: readonly Link[]) => each(links, (of) => <TextLink {...of} />)

function Action({ action, orOpen, brand }: Pick<Wording, 'action' | 'orOpen' | 'brand'>) {
  if (!action) return null
  const { accent, onAccent } = brand.colors
  return (
    <>
      <Paragraph>
        <a href={action.url} style={{ background: accent, color: onAccent, ...button }}>
          {action.label}
        </a>
      </Paragraph>
      <Paragraph style={small}>
        {orOpen}
        <br />
        <TextLink label={action.url} url={action.url} />
      </Paragraph>
    </>
  )
}

const Support = ({ support }: Pick<BrandInWords, 'support'>) =>
  support && (
    <Paragraph style={small}>
      <Separated by={<br />} parts={[support.question, ...linksOf(support.links)]} />
    </Paragraph>
  )

const Papers = ({ papers }: Pick<BrandInWords, 'papers'>) =>
  papers.length > 0 && (
    <Paragraph style={small}>
      <Separated by=" · " parts={linksOf(papers)} />
    </Paragraph>
  )

function Head({ shop, logo }: BrandInWords) {
  if (!logo) return shop
  const { url, width, height, isWordMark } = logo
  const style: CSSProperties = { verticalAlign: 'middle', ...plateOf(logo) }
  return (
    <>
      {/* The image has low priority, because React adds a preload link for an image of normal priority. */}
      {/* biome-ignore lint/performance/noImgElement: an email cannot use the image component of Next */}
      <img src={url} width={width} height={height} alt={isWordMark ? shop : ''} style={style} fetchPriority="low" />
      {!isWordMark && `\u00a0 ${shop}`}
    </>
  )
}

/** A logo that is too faint on a light or dark background gets its own background, because the background of the mail program is unknown. */
function plateOf({ plates }: LogoView): CSSProperties {
  if (!plates.light && !plates.dark) return {}
  const [background, color] = plates.light ? ['#1b1c20', '#ffffff'] : ['#ffffff', '#1b1c20']
  return { padding: '4px', borderRadius: '8px', background, color }
}

const Tables = ({ tables }: { readonly tables: readonly Table[] }) => each(tables, (table) => <TableOf {...table} />)

/** The border is half transparent, so that it is faint on both white and black. */
const cell: CSSProperties = {
  padding: '6px 0',
  borderTop: '1px solid rgba(128,128,128,0.5)',
  verticalAlign: 'top',
}

interface Column {
  readonly label: CSSProperties
  readonly value: CSSProperties
}

/**
 * `sum`: the amount does not wrap, and its label takes the remaining width. `text`: the label has a fixed share of the
 * width, so that a long value leaves space for its label on a phone.
 */
const columns: Readonly<Record<'sum' | 'text', Column>> = {
  sum: {
    label: { overflowWrap: 'anywhere' },
    value: { textAlign: 'right', whiteSpace: 'nowrap' },
  },
  text: {
    label: { overflowWrap: 'break-word', hyphens: 'auto', width: '36%' },
    value: { textAlign: 'left', overflowWrap: 'break-word' },
  },
}

function TableOf({ heading, isSum = false, rows, note }: Table) {
  const style: CSSProperties = { width: '100%', borderCollapse: 'collapse', margin: '0 0 24px' }
  return (
    <table style={isSum ? style : { ...style, tableLayout: 'fixed' }}>
      <caption style={{ padding: '0 0 6px', textAlign: 'left', fontWeight: 600 }}>{heading}</caption>
      <tbody>
        {each(rows, (row) => (
          <Row row={row} column={columns[isSum ? 'sum' : 'text']} />
        ))}
        {note && (
          <tr>
            <td colSpan={2} style={{ ...cell, ...small }}>
              {note}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

/** A label without a value takes the whole width: the buyer fills in the value by hand. */
function Row({ row, column }: { readonly row: Table['rows'][number]; readonly column: Column }) {
  const { label, value, isTotal = false } = row
  const own: CSSProperties = { ...cell, fontWeight: isTotal ? 600 : 400 }
  if (value === '')
    return (
      <tr>
        <th scope="row" colSpan={2} style={{ ...own, textAlign: 'left' }}>
          {label}
        </th>
      </tr>
    )
  return (
    <tr>
      <th scope="row" style={{ ...own, textAlign: 'left', ...column.label }}>
        {label}
      </th>
      <td style={{ ...own, paddingLeft: '12px', ...column.value }}>{value}</td>
    </tr>
  )
}
