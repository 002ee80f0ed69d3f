import { config } from '@/lib/platform/config.ts'
import { publicDocument } from '@/lib/platform/http/keyless.ts'
import { openApi } from '@/lib/platform/http/openapi.ts'
import { endpoints } from '../endpoints.ts'

/** The API's description. No key is needed. */
export const GET = publicDocument(() => openApi(endpoints, { baseUrl: config().publicBaseUrl, version: '1' }))
