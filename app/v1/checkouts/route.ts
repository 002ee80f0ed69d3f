import * as contract from '@/lib/checkouts/contract.ts'
import * as checkouts from '@/lib/checkouts/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.listCheckouts, ({ caller, query, url }) => checkouts.list(caller, query, url))
export const POST = route(contract.createCheckout, ({ caller, body }) => checkouts.create(caller, body), {
  alsoWrong: ({ caller, body }) => checkouts.wrongReferences(caller, body),
})
