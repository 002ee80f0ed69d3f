import { zipSync } from 'fflate'
import { invoicePdf } from '../../modules/invoices/load-invoice.ts'
import { invoicesOf } from '../../modules/orders/documents-of-customer.ts'
import { orderIdsOfSubscription } from '../../modules/orders/orders-of-subscription.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { PortalDocuments } from '../../modules/portal/page.ts'
import { db } from '../../platform/db/db.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Entered } from './enter.ts'
import { documentView } from './views.ts'

export const documentsOnPage = 50

/** A list of documents, newest first. It starts after the order `before`, or with the newest document if `before` is null. */
export interface DocumentList {
  readonly subscriptionId: string | null
  readonly before: string | null
}

const addressOf = (path: string, { subscriptionId, before }: DocumentList): string => {
  const query = new URLSearchParams([
    ...(subscriptionId === null ? [] : [['subscription', subscriptionId]]),
    ...(before === null ? [] : [['before', before]]),
  ])
  return query.size === 0 ? path : `${path}?${query}`
}

export const documentsUrlOf = (list: DocumentList): string => addressOf('/portal/invoices', list)
const zipUrlOf = (list: DocumentList): string => addressOf('/portal/invoices/zip', list)

/** `older` is the id of the last document of the page if more documents follow. */
export async function findDocuments(
  entered: Entered,
  list: DocumentList,
  most: number,
): Promise<PortalDocuments & { older: string | null }> {
  const orders = await ordersOf(entered, list, most + 1)
  const shown = orders.slice(0, most)
  return {
    documents: shown.map(documentView),
    documentsSubmitUrl: '/portal/invoices/submit',
    zipUrl: shown.length > 1 ? zipUrlOf(list) : null,
    older: orders.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
  }
}

async function ordersOf(
  { tenant, customer }: Entered,
  { subscriptionId, before }: DocumentList,
  take: number,
): Promise<Order[]> {
  const among = subscriptionId === null ? undefined : await orderIdsOfSubscription(db(), tenant, subscriptionId)
  return invoicesOf(db(), tenant, { customerId: customer.id, among, before, take })
}

/** Each ZIP file is built in memory, so at most two are built at the same time, and only one for each customer. */
const files = new WorkQueue({ atOnce: 2, most: 20, mostOfOne: 1, retryAfterSeconds: 20 })

/** Each entry of the archive is named after the number of its document. Throws `Busy` if too many requests wait. */
export const zipOf = (entered: Entered, list: DocumentList): Promise<Uint8Array<ArrayBuffer>> =>
  files.run(entered.customer.id, async () => {
    const entries: Record<string, Uint8Array> = {}
    for (const { id } of await ordersOf(entered, list, documentsOnPage)) {
      const path = invoicePath(id)
      const document = await invoicePdf(path.slice(path.lastIndexOf('/') + 1))
      if (document) entries[document.name] = document.bytes
    }
    // The archive is not compressed, because PDF files are already compressed.
    return new Uint8Array(zipSync(entries, { level: 0 }))
  })
