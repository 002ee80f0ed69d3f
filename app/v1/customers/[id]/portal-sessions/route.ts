import * as contract from '@/lib/modules/portal/contract.ts'
import * as portal from '@/lib/modules/portal/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const POST = route(
  contract.createPortalSession,
  ({ context, params, body }) => portal.createSession(context, params.id, body),
  { answer: (session) => ({ status: 201, body: portal.portalSessionResource(session) }) },
)
