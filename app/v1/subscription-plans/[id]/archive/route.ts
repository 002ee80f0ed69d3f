import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'subscription_plan'

export const POST = route(contract.archivePlan, ({ caller, params }) => catalog.archive(caller, kind, params.id))
export const DELETE = route(contract.unarchivePlan, ({ caller, params }) => catalog.unarchive(caller, kind, params.id))
