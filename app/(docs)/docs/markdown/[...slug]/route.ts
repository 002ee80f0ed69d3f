import { siteMarkdown } from '../../site.ts'

export const dynamic = 'force-dynamic'

interface Context {
  params: Promise<{ slug: string[] }>
}

/** `next.config.ts` rewrites `/docs/<page>.md` to this route. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const slug = (await params).slug.join('/')
  const text = await siteMarkdown(slug === 'index' ? '' : slug)
  return new Response(text ?? 'There is no such page.\n', {
    status: text === null ? 404 : 200,
    headers: { 'content-type': 'text/markdown; charset=utf-8' },
  })
}
