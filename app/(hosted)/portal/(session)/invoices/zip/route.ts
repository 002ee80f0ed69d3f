import { seeOther } from '@/app/form-routes.ts'
import { Busy } from '@/lib/modules/invoices/load-invoice.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import { visitorOf } from '@/lib/platform/http/visitor.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { translator } from '@/lib/platform/translate.ts'
import { documentsZip } from '@/lib/workflows/portal/load-portal.ts'
import { limitFile } from '../../../../page-limits.ts'
import { words } from '../../../../words.ts'

/** Returns a ZIP file with the documents of one page of the invoice list. If there is no session, redirects to the page for an ended session. */
export async function GET(request: Request): Promise<Response> {
  const tooMany = await limitFile(request)
  if (tooMany) return tooMany
  const query = new URL(request.url).searchParams
  try {
    const file = await documentsZip(query, visitorOf(request.headers))
    if (!file) return seeOther('/portal')
    const name = (await translator(file.locale))('portal.documents.file')
    return new Response(file.bytes, {
      headers: {
        ...pageHeaders,
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}.zip"`,
        'cache-control': 'no-store, private',
      },
    })
  } catch (error) {
    if (error instanceof Busy)
      return words(request, 503, 'errors.down', { 'retry-after': String(error.retryAfterSeconds) })
    log.error({ error: shortError(error) }, 'Invoices could not be packed')
    return words(request, 503, 'errors.down')
  }
}
