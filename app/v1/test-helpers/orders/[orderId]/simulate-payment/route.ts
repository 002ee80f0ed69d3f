import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(
  contract.simulatePayment,
  ({ caller, params, body }) => testmode.simulate(caller, params.orderId, body),
  { alsoWrong: ({ caller, params, body }) => testmode.wrongSimulation(caller, params.orderId, body) },
)
