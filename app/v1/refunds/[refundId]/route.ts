import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const GET = route(contract.getRefund, ({ context, params }) => refunds.get(context, params.refundId))
