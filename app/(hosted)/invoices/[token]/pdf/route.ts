import { negotiateLocale } from '@/lib/kernel/locale.ts'
import { Busy, invoicePdf } from '@/lib/modules/invoices/hosted.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import { log } from '@/lib/platform/log.ts'
import { shortError } from '@/lib/platform/short-error.ts'
import { translator } from '@/lib/platform/translate.ts'
import type { TokenParams } from '../../../open.ts'

/** The invoice or credit note as a file. If there is none to show, the response says so in plain text. */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  try {
    const file = await invoicePdf(token)
    if (!file) return words(request, 404)
    // An invoice update changes the file behind the link: a client with a copy asks whether it is still current.
    const headers = { etag: file.etag, 'cache-control': 'private, no-cache' }
    if (has(request.headers.get('if-none-match'), file.etag)) return answer(304, null, headers)
    return answer(200, file.bytes, {
      ...headers,
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${file.name}"`,
    })
  } catch (error) {
    if (error instanceof Busy) return words(request, 503, { 'retry-after': String(error.retryAfterSeconds) })
    log.error({ error: shortError(error) }, 'An invoice could not be drawn')
    return words(request, 503)
  }
}

/** Whether an `If-None-Match` header contains the tag, alone or among others, also as a weak one. */
const has = (given: string | null, etag: string): boolean =>
  (given ?? '').split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()))

async function words(request: Request, status: 404 | 503, headers: Record<string, string> = {}): Promise<Response> {
  const what = status === 404 ? 'notFound' : 'down'
  const locale = negotiateLocale(request.headers.get('accept-language'))
  const t = await translator(locale)
  const text = `${t(`errors.${what}.heading`)}\n\n${t(`errors.${what}.text`)}\n`
  return answer(status, text, {
    'content-type': 'text/plain; charset=utf-8',
    'content-language': locale,
    'cache-control': 'no-store',
    ...headers,
  })
}

const answer = (status: number, body: BodyInit | null, headers: Record<string, string>) =>
  new Response(body, { status, headers: { ...pageHeaders, ...headers } })
