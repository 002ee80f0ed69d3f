import * as contract from '@/lib/modules/orders/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import { cancelRecovery } from '@/lib/workflows/recovery/operations.ts'

export const DELETE = route(contract.cancelRecovery, ({ context, params }) => cancelRecovery(context, params.id))
