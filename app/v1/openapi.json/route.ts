import { config } from '@/lib/platform/config.ts'
import { openApi } from '@/lib/platform/openapi.ts'
import { endpoints } from '../endpoints.ts'

/** The interface, described by itself. No key is needed. */
export const GET = (): Response =>
  Response.json(openApi(endpoints, { baseUrl: config().publicBaseUrl, version: '1' }), { headers: { 'Cache-Control': 'no-store' } })
