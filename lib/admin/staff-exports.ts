import { withByteOrderMark } from '../kernel/csv.ts'
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
import type { Cells } from '../workflows/csv-lists/csv-list.ts'
import { partsOf } from '../workflows/csv-lists/lists.ts'
import { staffOn } from './access.ts'
import type { CsvFile } from './export.ts'

type Row = Cells & { readonly id: string }

const whole = (rows: Row[]): Page<Row> => ({ rows, next: false, prev: false })

const mostListed = 10_000

const tables = {
  storefronts: async (query: PageQuery, name?: string) => {
    const page = await pageOfStorefronts(db(), query, { name })
    const rows = page.rows.map(({ id, name, merchant, createdAt, suspension, heldAt }) => ({
      id,
      name,
      merchantId: merchant.id,
      merchant: merchant.name,
      createdAt: toWire(createdAt),
      suspendedSince: suspension && toWire(suspension.since),
      onHoldSince: heldAt && toWire(heldAt),
    }))
    return { ...page, rows }
  },
  reviews: async () =>
    whole(
      (await reviewQueue(db(), mostListed)).map(
        ({ product: { id, kind, status, review, submittedAt, terms, pendingTerms }, tenant }) => {
          const { name, price } = pendingTerms ?? terms
          const proposed = { name, currency: price.currency, price: formatMoney(price) }
          const waitsSince = submittedAt && toWire(submittedAt)
          return { id, kind, status, review, waitsSince, storefrontId: tenant.storefrontId, ...proposed }
        },
      ),
    ),
  chargebacks: async (query: PageQuery) => {
    const page = await pageOfOpenDisputes(db(), query)
    const rows = page.rows.map(({ tenant, respondBy, chargeback }) => {
      const { id, orderId, status, reason, currency, amount, createdAt } = chargeback
      return {
        id,
        storefrontId: tenant.storefrontId,
        mode: tenant.testmode ? 'test' : 'live',
        orderId,
        status,
        respondBy: respondBy && toWire(respondBy),
        reason,
        currency,
        disputed: formatMoney({ minor: amount, currency }),
        createdAt: toWire(createdAt),
      }
    })
    return { ...page, rows }
  },
  work: async () =>
    whole(
      (await failingTasks(mostListed)).map(({ id, name, storefrontId, testmode, attempts, lastError, runAt }) => ({
        id,
        name,
        storefrontId,
        mode: testmode ? 'test' : 'live',
        attempts,
        lastError,
        runAt: runAt.toISOString(),
      })),
    ),
  audit: async ({ limit, startingAfter }: PageQuery, subject?: string) => {
    const entries = await auditLog(startingAfter === undefined ? null : BigInt(startingAfter), limit + 1, subject)
    const rows = entries.slice(0, limit).map(({ seq, at, actor, action, subject, before, after, hash }) => ({
      id: String(seq),
      at: at.toISOString(),
      actorKind: actor.kind,
      actorId: actor.id,
      address: actor.address,
      action,
      subject,
      before: json(before),
      after: json(after),
      hash: Buffer.from(hash).toString('hex'),
    }))
    return { rows, next: entries.length > limit, prev: false }
  },
} as const satisfies Record<string, (query: PageQuery, narrowed?: string) => Promise<Page<Row>>>

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
  const read: (page: PageQuery, narrowed?: string) => Promise<Page<Row>> = tables[section]
  const narrowed = narrowedBy(query.get(section === 'storefronts' ? 'name' : 'subject'))
  return {
    fileName: `${section}.csv`,
    parts: withByteOrderMark(
      partsOf<Row>(
        (page) => read(page, narrowed),
        (row) => row,
      ),
    ),
  }
}

const isTable = (section: string): section is keyof typeof tables => Object.hasOwn(tables, section)

export const staffExportUrl = (section: keyof typeof tables, filter: Readonly<Record<string, string>> = {}): string =>
  `/admin/export/${section}${Object.keys(filter).length === 0 ? '' : `?${new URLSearchParams(filter)}`}`
