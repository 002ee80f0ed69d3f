import type { BrandInWords } from './brand-words.ts'
import type { Table, Words } from './words.ts'

type Lists = 'tables' | 'closing' | 'links'

export interface Wording extends Omit<Words, Lists>, Required<Pick<Words, Lists>> {
  readonly testMode: string | null
  readonly brand: BrandInWords
  readonly orOpen: string
  readonly why: string | null
  readonly address: readonly string[]
  readonly row: (label: string, value: string) => string
}

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
