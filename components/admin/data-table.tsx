import type { ReactElement, ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import type { AdminList, ListDates, SortName } from '@/lib/kernel/list.ts'
import { type AdminKey, adminText as t } from './text.ts'

export interface Column<Row> {
  readonly label: AdminKey
  readonly of?: Record<string, string>
  readonly isAmount?: true
  /**
   * The position of the cell on a phone, where a row is a card. `corner`: next to the first column. `bare`: below the
   * first column, without the column label. Default: below the first column, with the column label. The default of the
   * column `action` is `bare`.
   */
  readonly onPhone?: 'corner' | 'bare'
  /**
   * If set, the column label is a link that sorts the list by this column. If the list is already sorted by this
   * column, the link reverses the order.
   */
  readonly sort?: 'date' | SortName
  readonly cell: (row: Row) => ReactNode
}

interface Props<Row> {
  label: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Shown if there are no rows: a message, or an element such as `EmptyList`. */
  empty: AdminKey | ReactElement
  dates?: ListDates | undefined
}

/**
 * A table whose first column names the row. A link in that column with the class `row-link` covers the whole row. On a phone each row is a card (`.data-table`
 * in `globals.css`). A table wider than its box scrolls and can be focused.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty, dates }: Props<Row>) {
  if (rows.length === 0) return typeof empty === 'string' ? <p className="mt-4 text-soft">{t(empty)}</p> : empty
  const [first, ...others] = columns
  const classOf = ({ label, isAmount, onPhone }: Column<Row>) =>
    `${isAmount ? 'amount ' : ''}${onPhone ?? (label === 'action' ? 'bare' : 'labeled')}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
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
  const sort = dates && sortsOf(dates).find(({ name }) => name === column.sort)
  if (!sort)
    return (
      <th className={column.isAmount && 'amount'} scope="col">
        {text}
      </th>
    )
  const { direction, url } = sort
  return (
    <th aria-sort={direction ?? undefined} className={column.isAmount && 'amount'} scope="col">
      <a href={url} title={t(sort.text)}>
        {text} {direction && <span aria-hidden="true">{direction === 'ascending' ? '↑' : '↓'}</span>}
      </a>
    </th>
  )
}

interface Sort {
  readonly name: 'date' | SortName
  readonly direction: 'ascending' | 'descending' | null
  readonly url: string
  readonly text: AdminKey
}

export function sortsOf({ isByDate, isOldestFirst, turnedUrl, others }: ListDates): Sort[] {
  const dateDirection = isOldestFirst ? ('ascending' as const) : ('descending' as const)
  return [
    {
      name: 'date',
      direction: isByDate ? dateDirection : null,
      url: turnedUrl,
      text: isByDate && !isOldestFirst ? 'lists.oldestFirst' : 'lists.newestFirst',
    },
    ...others.map(({ isReverse, ...sort }) => ({
      ...sort,
      text: `lists.sorts.${sort.name}${isReverse ? '-reverse' : ''}` as const,
    })),
  ]
}

const keyOfColumn = <Row,>({ label, of = {} }: Column<Row>) => [label, ...Object.values(of)].join(' ')

export const Pager = ({ newerUrl, olderUrl, exportUrl, dates }: Omit<AdminList<never>, 'rows'>) => (
  <div className="mt-4 flex flex-wrap justify-between gap-6">
    <nav aria-label={t('pages')} className="flex gap-6">
      {newerUrl && <a href={newerUrl}>{t(dates?.isByDate === false ? 'lists.previous' : 'newer')}</a>}
      {olderUrl && <a href={olderUrl}>{t(dates?.isByDate === false ? 'lists.next' : 'older')}</a>}
    </nav>
    <Export exportUrl={exportUrl} />
  </div>
)

/**
 * The export is a form and not a link, because each export writes to the audit log, and a GET request must not change
 * data.
 */
export const Export = ({ exportUrl, text = 'exportCsv' }: { exportUrl?: string | undefined; text?: AdminKey }) =>
  exportUrl && (
    <form action={exportUrl} method="post">
      <button className={linkButton} type="submit">
        {t(text)}
      </button>
    </form>
  )

export const Cut = ({ count, url, text }: { count: number; url: string; text: AdminKey }) => (
  <p className="mt-2 text-note text-soft">
    {t('newestOnly', { count })} <a href={url}>{t(text)}</a>
  </p>
)

/** The URL of a list in the current sort order. If `customerId` is not null, the list contains only rows of this customer. */
export function narrowedTo(customerId: string | null, list: string, dates?: ListDates): string {
  const kept = new URLSearchParams({
    ...(customerId !== null && { customer: customerId }),
    ...(dates?.sort && { sort: dates.sort }),
  })
  return kept.size === 0 ? list : `${list}?${kept}`
}
