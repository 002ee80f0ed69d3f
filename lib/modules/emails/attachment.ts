import { invoicePdf } from '../invoices/load-invoice.ts'
import { invoicePath } from '../orders/resource.ts'

/** A file of an email. */
export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The invoice or credit note of an email, drawn when it is sent: a correction since then is in it. Null if the email has
 * none. Throws `Busy` if too many documents are being drawn, so that the email is tried again.
 */
export async function attachmentOf({ orderId }: { orderId: string | null }): Promise<Attachment | null> {
  if (orderId === null) return null
  const path = invoicePath(orderId)
  const document = await invoicePdf(path.slice(path.lastIndexOf('/') + 1))
  if (!document) throw new Error(`the order ${orderId} of an email has no invoice`)
  return document
}
