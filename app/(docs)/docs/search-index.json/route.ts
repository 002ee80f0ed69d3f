import { searchIndex } from '../site.ts'

export const dynamic = 'force-dynamic'

export const GET = async (): Promise<Response> =>
  new Response(await searchIndex(), {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
  })
