import { csvLine } from '../../kernel/csv.ts'
import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { customerResource } from '../../modules/customers/resource.ts'
import { pageOfCustomers } from '../../modules/customers/store.ts'
import { pageOfEntries } from '../../modules/ledger/store.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { pageOfOrders } from '../../modules/orders/store.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { pageOfSubscriptions } from '../../modules/subscriptions/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { type Access, accessTo, type Place } from './access.ts'

type Cells = Readonly<Record<string, string | number | null>>

/** A list that can be exported: how it is read, and what its columns are. */
interface Exported<Row extends { id: string }> {
  read(tenant: Tenant, query: PageQuery): Promise<Page<Row>>
  cells(row: Row): Cells
}

const list = <Row extends { id: string }>(exported: Exported<Row>) => exported as unknown as Exported<{ id: string }>

/** What can be exported, by the name of its section. */
const exports = {
  orders: list({
    read: (tenant, query) => pageOfOrders(db(), tenant, query),
    cells(row) {
      const { id, invoiceNumber, createdAt, status, customerId, customerDetails, subtotal, total, ...order } =
        orderResource(row)
      const { email, fullName, companyName, country, taxId } = customerDetails
      return {
        ...{ id, invoiceNumber, createdAt, status, customerId, email, name: fullName, company: companyName, country },
        ...{ taxId, currency: total.currency, subtotal: subtotal.value, total: total.value },
        ...{ taxes: order.taxSummary.map(({ taxRate, amount }) => `${taxRate.name} ${amount.value}`).join('; ') },
        ...{ reversedSubtotal: order.reversedSubtotal.value, subscriptionId: row.subscriptionId },
      }
    },
  }),
  subscriptions: list({
    read: (tenant, query) => pageOfSubscriptions(db(), tenant, query),
    cells(row) {
      const of = subscriptionResource(row)
      return {
        ...{ id: of.id, status: of.status, customerId: of.customerId, name: of.name, quantity: of.quantity },
        ...{ currency: of.basePrice.currency, basePrice: of.basePrice.value },
        ...{ interval: of.interval, intervalCount: of.intervalCount, startedAt: of.startedAt },
        ...{ trialUntil: of.trialUntil, renewedUntil: of.renewedUntil, nextRenewalAt: of.nextRenewalAt },
        ...{ canceledAt: of.canceledAt, cancellationReason: of.cancellationReason, endedAt: of.endedAt },
      }
    },
  }),
  customers: list({
    read: (tenant, query) => pageOfCustomers(db(), tenant, query, undefined),
    cells(row) {
      const { id, email, name, createdAt } = customerResource(row)
      return { id, email, name, createdAt }
    },
  }),
  balance: list({
    read: (tenant, query) => pageOfEntries(db(), tenant, query),
    cells: ({ id, transactionId, subjectId, orderId, cause, account, currency, amount, createdAt }) => ({
      ...{ id, transactionId, createdAt: toWire(createdAt), cause, subjectId, orderId, account, currency },
      amount: formatMoney({ minor: amount, currency }),
    }),
  }),
} as const

/** Where the export of a section is, for who may. */
export const exportOf = (access: Access, section: keyof typeof exports): { exportUrl?: string } =>
  access.may('sales.export') ? { exportUrl: `${access.path}/export/${section}` } : {}

const rowsAtOnce = 200

/**
 * A list as CSV, in parts: a page of rows each, read when the one before has been taken, so that an export of any size
 * holds little memory and no connection between its pages. It is written to the audit log. Null for a list that cannot
 * be exported, and for a person who may not.
 */
export async function exportCsv(
  place: Place,
  section: string,
  cookies: string | null,
): Promise<{ fileName: string; parts: AsyncGenerator<string> } | null> {
  const access = await accessTo(place, 'sales.export', cookies)
  if (!access || !isExported(section)) return null
  const { tenant, actor, storefront, mode } = access
  await db().$transaction((sql) =>
    writeAudit(sql, actor, { action: `export.${section}`, subject: storefront.id, before: null, after: { mode } }),
  )
  return { fileName: `${storefront.id}-${mode}-${section}.csv`, parts: partsOf(exports[section], tenant) }
}

const isExported = (section: string): section is keyof typeof exports => Object.hasOwn(exports, section)

async function* partsOf(exported: Exported<{ id: string }>, tenant: Tenant): AsyncGenerator<string> {
  let startingAfter: string | undefined
  do {
    const { rows, next } = await exported.read(tenant, { limit: rowsAtOnce, startingAfter })
    const cells = rows.map((row) => exported.cells(row))
    const header = startingAfter === undefined && cells[0] ? csvLine(Object.keys(cells[0])) : ''
    yield header + cells.map((each) => csvLine(Object.values(each))).join('')
    startingAfter = next ? rows.at(-1)?.id : undefined
  } while (startingAfter !== undefined)
}
