import * as contract from '@/lib/modules/chargebacks/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as chargebacks from '@/lib/workflows/chargeback/operations.ts'

export const GET = route(contract.getOrderChargeback, ({ context, params }) =>
  chargebacks.get(context, params.chargebackId, params.id),
)
