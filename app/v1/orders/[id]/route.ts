import * as contract from '@/lib/modules/orders/contract.ts'
import * as orders from '@/lib/modules/orders/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getOrder, ({ context, params }) => orders.get(context, params.id))
