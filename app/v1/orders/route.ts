import * as contract from '@/lib/orders/contract.ts'
import * as orders from '@/lib/orders/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.listOrders, ({ context, query, url }) => orders.list(context, query, url))
