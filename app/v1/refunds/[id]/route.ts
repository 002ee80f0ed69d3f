import * as contract from '@/lib/modules/refunds/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as refunds from '@/lib/workflows/refund/operations.ts'

export const GET = route(contract.getRefund, ({ context, params }) => refunds.get(context, params.id))
