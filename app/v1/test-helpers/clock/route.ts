import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const GET = route(contract.getClock, ({ context }) => testmode.showClock(context.storefrontId))
