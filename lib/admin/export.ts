import { withByteOrderMark } from '../kernel/csv.ts'
import { isStorableText } from '../kernel/text.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { db } from '../platform/db/db.ts'
import { days } from '../platform/http/days.ts'
import type { PageQuery } from '../platform/http/paging.ts'
import type { Filters } from '../workflows/csv-lists/csv-list.ts'
import { exports, partsOf } from '../workflows/csv-lists/lists.ts'
import { type Access, accessToList, type StorefrontPath } from './access.ts'
import { urlWith } from './list-filter.ts'

export const exportOf = (
  access: Access,
  section: keyof typeof exports,
  filters: ListFilters = {},
): { exportUrl?: string } => {
  if (!access.mayExport(section)) return {}
  const known = Object.fromEntries(filterNames.map((name) => [name, filters[name] ?? null]))
  return { exportUrl: urlWith(`${access.path}/export/${section}`, known) }
}

const filterNames = ['status', 'kind', 'endpoint', 'email', 'customer', 'event', 'object', 'from', 'to'] as const

type ListFilters = Partial<Record<(typeof filterNames)[number], string | null>>

export interface CsvFile {
  readonly fileName: string
  readonly parts: AsyncGenerator<string>
}

/**
 * A list as CSV, in parts of one page each. Each page is read after the previous one was sent, so a large export needs
 * little memory and occupies no database connection while it sends. Recorded in the audit log. Null if the list is
 * unknown, or if the reader has no permission.
 */
export async function exportCsv(
  place: StorefrontPath,
  section: string,
  query: URLSearchParams,
  cookies: string | null,
): Promise<CsvFile | null> {
  if (!isExported(section)) return null
  const exported = exports[section]
  const access = await accessToList(place, section, cookies)
  if (!access) return null
  const { actor, storefront, mode } = access
  const filters = Object.fromEntries([...query].filter(([, text]) => isStorableText(text)))
  await db().$transaction((sql) =>
    writeAudit(sql, actor, {
      action: `export.${section}`,
      subject: storefront.id,
      before: null,
      after: { mode, ...filtersSaid(filters) },
    }),
  )
  const read = (page: PageQuery) => exported.read(access, { ...page, ...days(filters).range }, filters)
  const parts = withByteOrderMark(partsOf(read, exported.columns))
  return { fileName: `${storefront.id}-${mode}-${section}.csv`, parts }
}

const isExported = (section: string): section is keyof typeof exports => Object.hasOwn(exports, section)

/** The audit log is never deleted, so it stores only filter values that cannot be personal data. */
const filtersSaid = ({ status }: Filters) => (status && /^[a-z_]{1,40}$/.test(status) ? { status } : {})
