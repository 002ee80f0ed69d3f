import { logoFile } from '@/lib/modules/brand/load-logo.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'

interface FileParams {
  params: Promise<{ file: string }>
}

/** The URL contains the hash of the logo, so caches may keep the file forever. */
export async function GET(request: Request, { params }: FileParams): Promise<Response> {
  try {
    const file = await logoFile((await params).file)
    if (!file) return refused(404, 'There is no such logo.\n')
    const etag = `"${file.hash}"`
    const kept = { ...headers, etag, 'cache-control': 'public, max-age=31536000, immutable' }
    if (has(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: kept })
    const type = { 'content-type': file.type, 'content-length': String(file.bytes.length) }
    return new Response(file.bytes, { headers: { ...kept, ...type } })
  } catch (error) {
    log.error({ error: shortError(error) }, 'A logo could not be read')
    return refused(503, 'The service cannot answer at the moment.\n', { 'retry-after': '5' })
  }
}

/**
 * Prevents scripts in a logo that is opened directly. Permits other sites to embed the logo, because webmail sites show
 * our emails.
 */
const headers = {
  ...pageHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

const refused = (status: 404 | 503, text: string, more: Record<string, string> = {}) =>
  new Response(text, {
    status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...more },
  })

/** Whether an `If-None-Match` header matches the ETag of the logo. The header may contain several ETags, and weak ETags. */
const has = (given: string | null, etag: string): boolean =>
  (given ?? '').split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()))
