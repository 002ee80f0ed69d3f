import * as contract from '@/lib/modules/checkouts/contract.ts'
import * as checkouts from '@/lib/modules/checkouts/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.listCheckouts, ({ context, query, url }) => checkouts.list(context, query, url))
export const POST = route(contract.createCheckout, ({ context, body }) => checkouts.create(context, body), {
  validateReferences: ({ context, body }) => checkouts.validateReferences(context, body),
})
