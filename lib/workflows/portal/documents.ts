import { zipSync } from 'fflate'
import { invoicePdf } from '../../modules/invoices/load-invoice.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { WorkQueue } from '../../platform/work-queue.ts'

/** The most documents on a page of the list, and in one ZIP file. */
export const documentsOnPage = 50

/** Files are built in memory: at most two at once, and one per customer. */
const files = new WorkQueue({ atOnce: 2, most: 20, mostOfOne: 1, retryAfterSeconds: 20 })

/** The PDFs of orders as one ZIP file, named by their numbers. Throws `Busy` if too many requests wait. */
export const zipOf = (customerId: string, orders: readonly Order[]): Promise<Uint8Array<ArrayBuffer>> =>
  files.run(customerId, async () => {
    const entries: Record<string, Uint8Array> = {}
    for (const { id } of orders) {
      const path = invoicePath(id)
      const document = await invoicePdf(path.slice(path.lastIndexOf('/') + 1))
      if (document) entries[document.name] = document.bytes
    }
    // PDFs are compressed already.
    return new Uint8Array(zipSync(entries, { level: 0 }))
  })
