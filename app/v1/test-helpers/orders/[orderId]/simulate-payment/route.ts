import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(
  contract.simulatePayment,
  ({ context, params, body }) => testmode.simulate(context, params.orderId, body),
  { validateReferences: ({ context, params, body }) => testmode.validateSimulation(context, params.orderId, body) },
)
