import { receiveAsDemo } from '@/lib/modules/webhooks/operations.ts'
import { keyless } from '@/lib/platform/http/keyless.ts'
import { parseBody, readBody } from '@/lib/platform/http/request-body.ts'

/** Receives the webhooks of the demo. Returns 404 in production. */
export const POST = keyless(async (request, headers, { version = '' }) => {
  const reply = receiveAsDemo(version, parseBody(request, await readBody(request)) ?? {})
  return new Response(reply?.text ?? null, { status: reply?.status ?? 404, headers })
})
