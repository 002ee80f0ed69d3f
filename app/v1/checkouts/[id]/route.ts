import * as contract from '@/lib/checkouts/contract.ts'
import * as checkouts from '@/lib/checkouts/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.getCheckout, ({ context, params }) => checkouts.get(context, params.id))
