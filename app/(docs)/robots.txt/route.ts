import { config } from '@/lib/platform/config.ts'
import { robotsText } from '../docs/addresses.ts'

export const dynamic = 'force-dynamic'

export const GET = (): Response =>
  new Response(robotsText(config().docsIndexed, config().publicBaseUrl), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
