import { forNotices } from '@/lib/platform/http/keyless.ts'
import { readBody } from '@/lib/platform/http/request-body.ts'
import { receiveNotice } from '@/lib/workflows/provider-notices/operations.ts'

/** Where a payment provider posts its notices: 200, 400 for a request that is no notice, 404 without such a provider, 429. */
export const POST = forNotices(async (request, headers, { provider = '' }) => {
  const isTaken = await receiveNotice(provider, { headers: request.headers, readBody: () => readBody(request) })
  return new Response(null, { status: isTaken === null ? 404 : isTaken ? 200 : 400, headers })
})
