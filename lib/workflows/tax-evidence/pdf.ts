import { factSheetPdf } from '../../modules/invoices/draw-documents.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import { evidencePack } from './pack.ts'
import { evidenceSheet } from './sheet.ts'

/** One at a time, so that invoices do not wait for the processor: auditors are not in a hurry. */
const queue = new WorkQueue({ atOnce: 1, most: 20, mostOfOne: 10, retryAfterSeconds: 5 })

/** Storefronts take turns. Refuses `not_found` without evidence. Throws `Busy` after too many requests. */
export const evidencePdf = (orderId: string, storefrontId: string): Promise<Uint8Array<ArrayBuffer>> =>
  queue.run(storefrontId, async () => factSheetPdf(evidenceSheet(await evidencePack(orderId))))
