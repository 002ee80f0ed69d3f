import * as contract from '@/lib/modules/test-helpers/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as testmode from '@/lib/workflows/test-helpers/operations.ts'

export const GET = route(contract.getClock, ({ context }) => testmode.showClock(context.storefrontId))
