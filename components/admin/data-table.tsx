import type { ReactElement, ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import type { AdminList, ListDates } from '@/lib/kernel/list.ts'
import { type AdminKey, adminText as t } from './text.ts'

export interface Column<Row> {
  readonly label: AdminKey
  /** The arguments of the label's message. */
  readonly of?: Record<string, string>
  /** Aligns amounts to the end of the column. */
  readonly isAmount?: true
  /**
   * The place on a phone, where a row is a card: in the corner beside the first column, or below without its label. By
   * default the cell stands below with its label.
   */
  readonly onPhone?: 'corner' | 'bare'
  /** The list is sorted by this column. The label is a link that reverses the order. */
  readonly isSorted?: true
  readonly cell: (row: Row) => ReactNode
}

interface Props<Row> {
  label: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Shown without rows: a text, or an element such as `EmptyList`. */
  empty: AdminKey | ReactElement
  dates?: ListDates | undefined
}

/**
 * A table whose first column names the row. A link of the class `row-link` there covers the whole row. On a phone each
 * row is a card (`.data-table` in `globals.css`). On a wide screen a wide table scrolls in its own box, which can take
 * the focus.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty, dates }: Props<Row>) {
  if (rows.length === 0) return typeof empty === 'string' ? <p className="mt-4 text-soft">{t(empty)}</p> : empty
  const [first, ...others] = columns
  const classOf = ({ isAmount, onPhone }: Column<Row>) => `${isAmount ? 'amount ' : ''}${onPhone ?? 'labeled'}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section aria-label={label} className="data-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell column={column} dates={dates} key={keyOfColumn(column)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th className={first.isAmount && 'amount'} scope="row">
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td className={classOf(column)} data-label={t(column.label, column.of)} key={keyOfColumn(column)}>
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

function HeaderCell<Row>({ column, dates }: { column: Column<Row>; dates: ListDates | undefined }) {
  const text = t(column.label, column.of)
  if (!column.isSorted || !dates)
    return (
      <th className={column.isAmount && 'amount'} scope="col">
        {text}
      </th>
    )
  const { isOldestFirst, turnedUrl } = dates
  return (
    <th aria-sort={isOldestFirst ? 'ascending' : 'descending'} scope="col">
      <a href={turnedUrl} title={t(isOldestFirst ? 'lists.newestFirst' : 'lists.oldestFirst')}>
        {text} <span aria-hidden="true">{isOldestFirst ? '↑' : '↓'}</span>
      </a>
    </th>
  )
}

const keyOfColumn = <Row,>({ label, of = {} }: Column<Row>) => [label, ...Object.values(of)].join(' ')

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
