import { type Columns, withByteOrderMark } from '../kernel/csv.ts'
import { toWire } from '../kernel/moment.ts'
import { formatMoney } from '../kernel/money.ts'
import { isStorableText } from '../kernel/text.ts'
import { pageOfStorefronts } from '../modules/accounts/store.ts'
import { auditLog } from '../modules/audit/operations.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { reviewQueue } from '../modules/catalog/store.ts'
import { pageOfOpenDisputes } from '../modules/chargebacks/open.ts'
import { db } from '../platform/db/db.ts'
import type { Page, PageQuery } from '../platform/http/paging.ts'
import { failingTasks } from '../platform/jobs/due-tasks.ts'
import { shownAs, whole } from '../workflows/csv-lists/csv-list.ts'
import { partsOf } from '../workflows/csv-lists/lists.ts'
import { staffOn } from './access.ts'
import type { CsvFile } from './export.ts'

const mostListed = 10_000

interface Table<Row extends { id: string }> {
  read(query: PageQuery, narrowed?: string): Promise<Page<Row>>
  readonly columns: Columns<Row>
}

const table = <Row extends { id: string }>(exported: Table<Row>) => exported as unknown as Table<{ id: string }>

const tables = {
  storefronts: table({
    read: (query, name) => pageOfStorefronts(db(), query, { name }),
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      merchantId: ({ merchant }) => merchant.id,
      merchant: ({ merchant }) => merchant.name,
      createdAt: ({ createdAt }) => toWire(createdAt),
      suspendedSince: ({ suspension }) => suspension && toWire(suspension.since),
      onHoldSince: ({ heldAt }) => heldAt && toWire(heldAt),
    },
  }),
  reviews: table({
    read: async () => whole((await reviewQueue(db(), mostListed)).map((each) => ({ ...each, ...each.product }))),
    columns: {
      id: ({ id }) => id,
      kind: ({ kind }) => kind,
      status: ({ status }) => status,
      review: ({ review }) => review,
      waitsSince: ({ submittedAt }) => submittedAt && toWire(submittedAt),
      storefrontId: ({ tenant }) => tenant.storefrontId,
      name: ({ terms, pendingTerms }) => (pendingTerms ?? terms).name,
      currency: ({ terms, pendingTerms }) => (pendingTerms ?? terms).price.currency,
      price: ({ terms, pendingTerms }) => formatMoney((pendingTerms ?? terms).price),
    },
  }),
  chargebacks: table({
    read: (query) =>
      shownAs(pageOfOpenDisputes(db(), query), ({ chargeback, ...rest }) => ({ ...rest, ...chargeback })),
    columns: {
      id: ({ id }) => id,
      storefrontId: ({ tenant }) => tenant.storefrontId,
      mode: ({ tenant }) => modeOf(tenant),
      orderId: ({ orderId }) => orderId,
      status: ({ status }) => status,
      respondBy: ({ respondBy }) => respondBy && toWire(respondBy),
      reason: ({ reason }) => reason,
      currency: ({ currency }) => currency,
      disputed: ({ amount, currency }) => formatMoney({ minor: amount, currency }),
      createdAt: ({ createdAt }) => toWire(createdAt),
    },
  }),
  work: table({
    read: async () => whole([...(await failingTasks(mostListed))]),
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      storefrontId: ({ storefrontId }) => storefrontId,
      mode: modeOf,
      attempts: ({ attempts }) => attempts,
      lastError: ({ lastError }) => lastError,
      runAt: ({ runAt }) => runAt.toISOString(),
    },
  }),
  audit: table({
    async read({ limit, startingAfter }, subject) {
      const entries = await auditLog(startingAfter === undefined ? null : BigInt(startingAfter), limit + 1, subject)
      const rows = entries.slice(0, limit).map((entry) => ({ ...entry, id: String(entry.seq) }))
      return { rows, next: entries.length > limit, prev: false }
    },
    columns: {
      id: ({ id }) => id,
      at: ({ at }) => at.toISOString(),
      actorKind: ({ actor }) => actor.kind,
      actorId: ({ actor }) => actor.id,
      address: ({ actor }) => actor.address,
      action: ({ action }) => action,
      subject: ({ subject }) => subject,
      before: ({ before }) => json(before),
      after: ({ after }) => json(after),
      hash: ({ hash }) => Buffer.from(hash).toString('hex'),
    },
  }),
} as const

function modeOf({ testmode }: { readonly testmode: boolean }): 'test' | 'live' {
  return testmode ? 'test' : 'live'
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** The text filter of a list: an id in the audit log, or a part of a storefront's name. */
export const narrowedBy = (typed: string | null | undefined): string | undefined =>
  (typed && isStorableText(typed) && typed.trim().slice(0, 100)) || undefined

/** One of the lists that only staff see, as CSV, with the same return type as `exportCsv`. Null for an unknown list, and for everyone who is not staff. */
export async function exportStaffCsv(
  section: string,
  query: URLSearchParams,
  cookies: string | null,
): Promise<CsvFile | null> {
  const person = await staffOn('export/[section]', cookies)
  if (!person || !isTable(section)) return null
  await db().$transaction((sql) =>
    writeAudit(sql, person.actor, { action: `export.${section}`, subject: 'service', before: null, after: null }),
  )
  const { read, columns } = tables[section]
  const narrowed = narrowedBy(query.get(section === 'storefronts' ? 'name' : 'subject'))
  return {
    fileName: `${section}.csv`,
    parts: withByteOrderMark(partsOf((page) => read(page, narrowed), columns)),
  }
}

const isTable = (section: string): section is keyof typeof tables => Object.hasOwn(tables, section)

export const staffExportUrl = (section: keyof typeof tables, filter: Readonly<Record<string, string>> = {}): string =>
  `/admin/export/${section}${Object.keys(filter).length === 0 ? '' : `?${new URLSearchParams(filter)}`}`
