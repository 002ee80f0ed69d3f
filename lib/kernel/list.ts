export interface AdminList<Row> {
  readonly rows: readonly Row[]
  readonly newerUrl: string | null
  readonly olderUrl: string | null
  /** The URL of the export. Absent if the list has no export or the reader may not export it. */
  readonly exportUrl?: string
  /** The URL without filters. Absent if no filter is set. */
  readonly clearUrl?: string
  /** Absent if the list has no filter by day. */
  readonly dates?: ListDates
  /** The page that creates a row. Absent if the reader may not create rows. */
  readonly actionUrl?: string
}

/** The day filter of a list, and its order by date. Days are in UTC, such as `2026-11-29`. */
export interface ListDates {
  readonly isByDate: boolean
  readonly isOldestFirst: boolean
  /** The URL of the list in the opposite order by date, or newest first if the list is sorted by another column. */
  readonly turnedUrl: string
  readonly from: string | null
  readonly to: string | null
  readonly allDaysUrl: string
  /** The target of the form that selects the days. `kept` contains the other query parameters. */
  readonly path: string
  readonly kept: readonly (readonly [string, string])[]
  /** The sort parameter in the list's URL; null for newest first. */
  readonly sort: string | null
  /**
   * The sort orders by columns other than the date. Empty if the list has a filter that no index supports together with
   * these orders.
   */
  readonly others: readonly OtherSort[]
}

export type SortName = 'amount' | 'next-charge' | 'name'

export interface OtherSort {
  readonly name: SortName
  /** Null if the list is not sorted by this column. */
  readonly direction: 'ascending' | 'descending' | null
  /** The URL of the list sorted by this column, or in the opposite order if the list is already sorted by this column. */
  readonly url: string
  /** Whether `url` sorts against the usual direction of the column. */
  readonly isReverse: boolean
}

export interface StatusFilter<Status extends string = string> {
  readonly status: Status | null
  readonly statuses: readonly Status[]
}

export type FilteredList<Row, Status extends string = string> = AdminList<Row> & {
  readonly filter: StatusFilter<Status>
}
