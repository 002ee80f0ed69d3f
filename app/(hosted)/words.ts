import { negotiateLocale } from '@/lib/kernel/locale.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'
import { translator } from '@/lib/platform/translate.ts'

export async function words(
  request: Request,
  status: 403 | 404 | 503,
  texts: 'errors.notFound' | 'errors.down' | 'portal.refused',
  headers: Record<string, string> = {},
): Promise<Response> {
  const locale = negotiateLocale(request.headers.get('accept-language'))
  const t = await translator(locale)
  return new Response(`${t(`${texts}.heading`)}\n\n${t(`${texts}.text`)}\n`, {
    status,
    headers: {
      ...pageHeaders,
      'content-type': 'text/plain; charset=utf-8',
      'content-language': locale,
      'cache-control': 'no-store',
      ...headers,
    },
  })
}
