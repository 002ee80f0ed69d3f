import { invoicePdf } from '../invoices/load-invoice.ts'
import { invoicePath } from '../orders/resource.ts'

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The invoice or credit note of an email, drawn when the email is sent, so the file contains later corrections. Null
 * without a document. Throws `Busy` if too many documents are being drawn; the email is then retried.
 */
export async function attachmentOf({ orderId }: { orderId: string | null }): Promise<Attachment | null> {
  if (orderId === null) return null
  const path = invoicePath(orderId)
  const document = await invoicePdf(path.slice(path.lastIndexOf('/') + 1))
  if (!document) throw new Error(`the order ${orderId} of an email has no invoice`)
  return document
}
