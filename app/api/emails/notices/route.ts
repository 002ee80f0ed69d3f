import { receiveEmailNotices } from '@/lib/modules/emails/operations.ts'
import { forNotices } from '@/lib/platform/http/keyless.ts'
import { parseBody, readBody } from '@/lib/platform/http/request-body.ts'

/**
 * Receives bounce and complaint notices. Status: 204 on success, 401 without a valid signature, 404 if no secret for notices is configured, 422 for an invalid
 * notice, 429 above the rate limit.
 */
export const POST = forNotices(async (request, headers) => {
  const isTaken = await receiveEmailNotices(request.headers.get('notice-signature'), {
    readBody: () => readBody(request),
    parse: (body) => parseBody(request, body) ?? {},
  })
  return new Response(null, { status: isTaken === null ? 404 : isTaken ? 204 : 401, headers })
})
