import { config } from '@/lib/platform/config.ts'
import { llmsText } from '../docs/addresses.ts'
import { siteIndex } from '../docs/site.ts'

export const dynamic = 'force-dynamic'

export const GET = async (): Promise<Response> =>
  new Response(llmsText(await siteIndex(), config().publicBaseUrl), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
