import { Busy, invoicePdf } from '@/lib/modules/invoices/load-invoice.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import type { TokenParams } from '../../../open.ts'
import { words } from '../../../words.ts'

/** If there is no document, the response is an error in plain text. */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  try {
    const file = await invoicePdf(token)
    if (!file) return words(request, 404, 'errors.notFound')
    // An invoice update changes the file, so a client with a copy must revalidate the copy.
    const headers = { etag: file.etag, 'cache-control': 'private, no-cache' }
    if (has(request.headers.get('if-none-match'), file.etag)) return answer(304, null, headers)
    return answer(200, file.bytes, {
      ...headers,
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${file.name}"`,
    })
  } catch (error) {
    if (error instanceof Busy)
      return words(request, 503, 'errors.down', { 'retry-after': String(error.retryAfterSeconds) })
    log.error({ error: shortError(error) }, 'An invoice could not be drawn')
    return words(request, 503, 'errors.down')
  }
}

/** Whether an `If-None-Match` header matches the ETag of the file. The header may contain several ETags, and weak ETags. */
const has = (given: string | null, etag: string): boolean =>
  (given ?? '').split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()))

const answer = (status: number, body: BodyInit | null, headers: Record<string, string>) =>
  new Response(body, { status, headers: { ...pageHeaders, ...headers } })
