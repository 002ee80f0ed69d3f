import * as contract from '@/lib/chargebacks/contract.ts'
import * as chargebacks from '@/lib/chargebacks/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.getOrderChargeback, ({ context, params }) =>
  chargebacks.get(context, params.chargebackId, params.orderId),
)
