import { factSheetPdf } from '../../modules/invoices/draw-documents.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import { evidencePack } from './pack.ts'
import { evidenceSheet } from './sheet.ts'

/** Auditors can wait, so the queue creates one PDF at a time and leaves the processor to invoices. */
const queue = new WorkQueue({ atOnce: 1, most: 20, mostOfOne: 10, retryAfterSeconds: 5 })

/** The queue serves the storefronts in rotation. Refuses with `not_found` if the sale has no evidence. Throws `Busy` if too many requests wait. */
export const evidencePdf = (orderId: string, storefrontId: string): Promise<Uint8Array<ArrayBuffer>> =>
  queue.run(storefrontId, async () => factSheetPdf(evidenceSheet(await evidencePack(orderId))))
