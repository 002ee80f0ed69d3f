import { invoicePdf } from '../invoices/load-invoice.ts'
import { invoicePath } from '../orders/resource.ts'

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The document is drawn when the email is sent, so it includes corrections that were made after the email was queued. Throws `Busy` if too many documents
 * wait. The email is then retried.
 */
export async function attachmentOf({ orderId }: { orderId: string | null }): Promise<Attachment | null> {
  if (orderId === null) return null
  const path = invoicePath(orderId)
  const document = await invoicePdf(path.slice(path.lastIndexOf('/') + 1))
  if (!document) throw new Error(`the order ${orderId} of the email has no invoice`)
  return document
}
