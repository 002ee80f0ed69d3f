import { config } from '@/lib/platform/config.ts'
import { publicDocument } from '@/lib/platform/http/keyless.ts'
import { apiDocument } from '../document.ts'

export const GET = publicDocument(() => {
  const { publicBaseUrl, seller } = config()
  return apiDocument({ baseUrl: publicBaseUrl, contact: seller })
})
