import * as contract from '@/lib/modules/chargebacks/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as chargebacks from '@/lib/workflows/chargeback/operations.ts'

export const GET = route(contract.listOrderChargebacks, ({ context, params, query, url }) =>
  chargebacks.list(context, query, url, params.id),
)
