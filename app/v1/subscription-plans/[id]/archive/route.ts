import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'subscription_plan'

export const POST = route(contract.archivePlan, ({ context, params }) => catalog.archive(context, kind, params.id))
export const DELETE = route(contract.unarchivePlan, ({ context, params }) =>
  catalog.unarchive(context, kind, params.id),
)
