import { invoicePdf } from '@/lib/invoices/hosted.ts'
import { negotiateLocale } from '@/lib/kernel/locale.ts'
import { log } from '@/lib/platform/log.ts'
import { translator } from '@/lib/platform/translate.ts'
import type { TokenParams } from '../../../open.ts'

/** The invoice or credit note as a file. Where there is none to show, the reader is told in plain words. */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const { token } = await params
  try {
    const file = await invoicePdf(token)
    if (!file) return words(request, 'notFound')
    return answer(200, file.bytes, {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${file.name}"`,
    })
  } catch (error) {
    log.error({ err: error }, 'An invoice could not be drawn')
    return words(request, 'down')
  }
}

async function words(request: Request, what: 'notFound' | 'down'): Promise<Response> {
  const locale = negotiateLocale(request.headers.get('accept-language'))
  const t = await translator(locale)
  const text = `${t(`errors.${what}.heading`)}\n\n${t(`errors.${what}.text`)}\n`
  return answer(what === 'notFound' ? 404 : 503, text, {
    'content-type': 'text/plain; charset=utf-8',
    'content-language': locale,
  })
}

const answer = (status: number, body: BodyInit, headers: Record<string, string>) =>
  new Response(body, { status, headers: { ...headers, 'cache-control': 'no-store' } })
