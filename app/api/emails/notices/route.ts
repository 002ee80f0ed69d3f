import { receiveEmailNotices } from '@/lib/modules/emails/operations.ts'
import { forNotices } from '@/lib/platform/http/keyless.ts'
import { parseBody, readBody } from '@/lib/platform/http/request-body.ts'

/** Where a mail provider's notices are posted: 204, 401 unsigned, 404 where none are taken, 422 for what is no notice, 429. */
export const POST = forNotices(async (request, headers) => {
  const isTaken = await receiveEmailNotices(request.headers.get('notice-signature'), {
    readBody: () => readBody(request),
    parse: (body) => parseBody(request, body) ?? {},
  })
  return new Response(null, { status: isTaken === null ? 404 : isTaken ? 204 : 401, headers })
})
