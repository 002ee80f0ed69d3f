import { emailPreviewHtml, type StorefrontPath } from '@/lib/admin/pages.ts'
import { document } from '../../../../../../../../../(hosted)/document.ts'
import { words } from '../../../../../../../../../(hosted)/words.ts'

type Context = { params: Promise<StorefrontPath & { kind: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { kind, ...place } = await params
  const language = new URL(request.url).searchParams.get('language')
  const html = await emailPreviewHtml(place, kind, language, request.headers.get('cookie'))
  return html === null ? words(request, 404, 'errors.notFound') : document(html)
}
