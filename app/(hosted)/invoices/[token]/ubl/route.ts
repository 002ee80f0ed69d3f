import { Busy, invoiceUbl } from '@/lib/modules/invoices/load-invoice.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import type { TokenParams } from '../../../open.ts'
import { words } from '../../../words.ts'

/** The document as an e-invoice (EN 16931, UBL 2.1). If there is no document, the response is an error in plain text. */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  try {
    const file = await invoiceUbl(token)
    if (!file) return words(request, 404, 'errors.notFound')
    return new Response(file.xml, {
      headers: {
        ...pageHeaders,
        'cache-control': 'private, no-cache',
        'content-type': 'application/xml; charset=utf-8',
        'content-disposition': `attachment; filename="${file.name}"`,
      },
    })
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    return words(request, 503, 'errors.down', { 'retry-after': String(error.retryAfterSeconds) })
  }
}
