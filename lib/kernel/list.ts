export interface AdminList<Row> {
  readonly rows: readonly Row[]
  readonly newerUrl: string | null
  readonly olderUrl: string | null
  /** The URL of the export; absent if the list has no export or the reader may not export. */
  readonly exportUrl?: string
}

export interface StatusFilter<Status extends string = string> {
  readonly status: Status | null
  readonly statuses: readonly Status[]
}

export type FilteredList<Row, Status extends string = string> = AdminList<Row> & {
  readonly filter: StatusFilter<Status>
}
