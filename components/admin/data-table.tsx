import type { ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import type { AdminList } from '@/lib/kernel/list.ts'
import { type AdminKey, adminText as t } from './text.ts'

export interface Column<Row> {
  readonly label: AdminKey
  /** The arguments of the label's message. */
  readonly of?: Record<string, string>
  /** Aligns amounts to the end of the column. */
  readonly isAmount?: true
  readonly cell: (row: Row) => ReactNode
}

interface Props<Row> {
  label: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  empty: AdminKey
}

/**
 * A table whose first column names the row and stays visible. A wide table scrolls in its own box, which can take the
 * focus.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty }: Props<Row>) {
  if (rows.length === 0) return <p className="mt-4 text-soft">{t(empty)}</p>
  const [first, ...others] = columns
  const side = ({ isAmount }: Column<Row>) => (isAmount ? 'text-end' : 'text-start')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section aria-label={label} className={`mt-4 overflow-x-auto ${besideTheFirst}`} tabIndex={0}>
      <table className={`w-full ${columns.length > 3 ? 'min-w-2xl' : ''} border-line border-t text-note`}>
        <thead>
          <tr className="border-line border-b text-soft">
            {columns.map((column, index) => (
              <th
                className={`py-2 pe-4 font-medium ${side(column)} ${index === 0 ? stays : ''}`}
                key={keyOfColumn(column)}
                scope="col"
              >
                {t(column.label, column.of)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr className="border-line border-b align-baseline" key={keyOf(row)}>
              <th className={`py-2 pe-4 font-normal ${side(first)} ${stays}`} scope="row">
                <div className={half}>{first.cell(row)}</div>
              </th>
              {others.map((column) => (
                <td className={`py-2 pe-4 ${side(column)}`} key={keyOfColumn(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const keyOfColumn = <Row,>({ label, of = {} }: Column<Row>) => [label, ...Object.values(of)].join(' ')

/**
 * The first column stays visible while the others scroll. On a phone it is only as wide as its content. In print it is
 * transparent, so that it does not cover the lines between the rows.
 */
const stays = 'sticky start-0 z-10 bg-ground max-wide:w-px print:static print:bg-transparent'

/** On a phone the content of the first column takes less than half of the screen. */
const half = 'max-wide:w-max max-wide:max-w-[calc(45vw-1rem)] max-wide:[&_bdi]:max-w-full'

/** A focused element scrolls to a position that the first column does not cover. */
const besideTheFirst = 'scroll-ps-[45vw] wide:scroll-ps-96'

/** Links to the adjacent pages, and the export of the whole list. */
export const Pager = ({ newerUrl, olderUrl, exportUrl }: Omit<AdminList<never>, 'rows'>) => (
  <div className="mt-4 flex flex-wrap justify-between gap-6">
    <nav aria-label={t('pages')} className="flex gap-6">
      {newerUrl && <a href={newerUrl}>{t('newer')}</a>}
      {olderUrl && <a href={olderUrl}>{t('older')}</a>}
    </nav>
    <Export exportUrl={exportUrl} />
  </div>
)

/** Export of the whole list, shown to roles that may export. A form, since each export is written to the audit log. */
export const Export = ({ exportUrl, text = 'exportCsv' }: { exportUrl?: string | undefined; text?: AdminKey }) =>
  exportUrl && (
    <form action={exportUrl} method="post">
      <button className={linkButton} type="submit">
        {t(text)}
      </button>
    </form>
  )

/** States that a list leaves out older rows, and links to all rows. */
export const Cut = ({ count, url, text }: { count: number; url: string; text: AdminKey }) => (
  <p className="mt-2 text-note text-soft">
    {t('newestOnly', { count })} <a href={url}>{t(text)}</a>
  </p>
)

/** The address of a list, narrowed to a customer if there is one. */
export const narrowedTo = (customerId: string | null, list: string): string =>
  customerId === null ? list : `${list}?${new URLSearchParams({ customer: customerId })}`
