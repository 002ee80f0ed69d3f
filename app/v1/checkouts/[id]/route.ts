import * as contract from '@/lib/checkouts/contract.ts'
import * as checkouts from '@/lib/checkouts/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.getCheckout, ({ caller, params }) => checkouts.get(caller, params.id))
