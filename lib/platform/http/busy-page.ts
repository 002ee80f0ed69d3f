import { negotiateLocale } from '../../kernel/locale.ts'
import { translator } from '../translate.ts'
import { pageHeaders } from './page-headers.ts'

export async function busyPage(
  status: 429 | 503,
  { seconds, acceptLanguage }: { readonly seconds: number; readonly acceptLanguage: string | null },
): Promise<Response> {
  const locale = negotiateLocale(acceptLanguage)
  const t = await translator(locale)
  const [heading, text] =
    status === 429
      ? (['errors.form.busy.heading', 'errors.form.busy.text'] as const)
      : (['errors.down.heading', 'errors.busy.text'] as const)
  return new Response(`${t(heading)}\n\n${t(text, { seconds })}\n`, {
    status,
    headers: {
      ...pageHeaders,
      'content-type': 'text/plain; charset=utf-8',
      'content-language': locale,
      'cache-control': 'no-store',
      'retry-after': String(seconds),
    },
  })
}
