import { config } from '@/lib/platform/config.ts'
import { sitemap } from '../docs/addresses.ts'
import { reference } from '../docs/reference.ts'
import { siteIndex } from '../docs/site.ts'

export const dynamic = 'force-dynamic'

export const GET = async (): Promise<Response> =>
  new Response(sitemap(await siteIndex(), reference().nouns, config().publicBaseUrl), {
    headers: { 'content-type': 'application/xml' },
  })
