export interface AdminList<Row> {
  readonly rows: readonly Row[]
  readonly newerUrl: string | null
  readonly olderUrl: string | null
  /** The URL of the export; absent if the list has no export or the reader may not export. */
  readonly exportUrl?: string
  /** The address of the list without its filters; absent without a filter. */
  readonly clearUrl?: string
  /** The order by date, and the days of a list that can be narrowed to days. */
  readonly dates?: ListDates
  /** The page of the first step towards a row; absent without the permission. */
  readonly actionUrl?: string
}

/** The order of a list by date, and the first and the last day that it shows. Days are in UTC, as `2026-11-29`. */
export interface ListDates {
  readonly isOldestFirst: boolean
  /** The same list in the opposite order. */
  readonly turnedUrl: string
  readonly from: string | null
  readonly to: string | null
  /** The same list of all days. */
  readonly allDaysUrl: string
  /** The address and the other parameters of a form that chooses the days. */
  readonly path: string
  readonly kept: readonly (readonly [string, string])[]
}

export interface StatusFilter<Status extends string = string> {
  readonly status: Status | null
  readonly statuses: readonly Status[]
}

export type FilteredList<Row, Status extends string = string> = AdminList<Row> & {
  readonly filter: StatusFilter<Status>
}
