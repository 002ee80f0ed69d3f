import * as contract from '@/lib/modules/checkouts/contract.ts'
import * as checkouts from '@/lib/modules/checkouts/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getCheckout, ({ context, params }) => checkouts.get(context, params.id))
