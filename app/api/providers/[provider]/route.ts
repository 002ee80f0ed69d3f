import { forNotices } from '@/lib/platform/http/keyless.ts'
import { readBody } from '@/lib/platform/http/request-body.ts'
import { receiveNotice } from '@/lib/workflows/provider-notices/operations.ts'

/** Receives notices of payment providers. Status: 200 on success, 400 for an invalid notice, 404 for an unknown provider, 429 above the rate limit. */
export const POST = forNotices(async (request, headers, { provider = '' }) => {
  const isTaken = await receiveNotice(provider, { headers: request.headers, readBody: () => readBody(request) })
  return new Response(null, { status: isTaken === null ? 404 : isTaken ? 200 : 400, headers })
})
