import { withByteOrderMark } from '../kernel/csv.ts'
import { isStorableText } from '../kernel/text.ts'
import { parseTypedDay } from '../kernel/typed-day.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { db } from '../platform/db/db.ts'
import type { PageQuery } from '../platform/http/paging.ts'
import type { Filters } from '../workflows/csv-lists/csv-list.ts'
import { exports, partsOf } from '../workflows/csv-lists/lists.ts'
import { type Access, accessToList, type StorefrontPath } from './access.ts'

/** The link to the export of a section with the filters of its list, for roles that may export. */
export const exportOf = (
  access: Access,
  section: keyof typeof exports,
  { status = null, kind = null, endpoint = null, email = null, customer = null }: ListFilters = {},
): { exportUrl?: string } => {
  if (!access.mayExport(section)) return {}
  const set = Object.entries({ status, kind, endpoint, email, customer }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  const query = set.length === 0 ? '' : `?${new URLSearchParams(set)}`
  return { exportUrl: `${access.path}/export/${section}${query}` }
}

interface ListFilters {
  readonly status?: string | null
  readonly kind?: string | null
  readonly endpoint?: string | null
  readonly email?: string | null
  readonly customer?: string | null
}

export interface CsvFile {
  readonly fileName: string
  readonly parts: AsyncGenerator<string>
}

/**
 * A list as CSV, in parts of one page each. A page is read when the previous one has been sent, so an export of any
 * size needs little memory, and no connection between pages. The export is written to the audit log. Null for an
 * unknown list or without the permission.
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
  const range = createdWithin(filters)
  if (!range) return null
  await db().$transaction((sql) =>
    writeAudit(sql, actor, {
      action: `export.${section}`,
      subject: storefront.id,
      before: null,
      after: { mode, ...filtersSaid(filters) },
    }),
  )
  const read = (page: PageQuery) => exported.read(access, { ...page, ...range }, filters)
  const parts = withByteOrderMark(partsOf(read, (row) => exported.cells(row)))
  return { fileName: `${storefront.id}-${mode}-${section}.csv`, parts }
}

const isExported = (section: string): section is keyof typeof exports => Object.hasOwn(exports, section)

/** The days of creation in the query, both included. Null for a text that is not a day, such as `2027-03-31`. */
function createdWithin({
  from = null,
  until = null,
}: Filters): Pick<PageQuery, 'createdAfter' | 'createdBefore'> | null {
  const [first, last] = [parseTypedDay(from), parseTypedDay(until)]
  if ((from !== null && !first) || (until !== null && !last)) return null
  return { ...(first && { createdAfter: first.start }), ...(last && { createdBefore: last.end }) }
}

/** The log contains no text from an address except known words. */
const filtersSaid = ({ status }: Filters) => (status && /^[a-z_]{1,40}$/.test(status) ? { status } : {})
