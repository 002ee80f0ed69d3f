import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'one_off_product'

export const GET = route(contract.getProduct, ({ caller, params }) => catalog.get(caller, kind, params.oneOffProductId))
export const PATCH = route(contract.updateProduct, ({ caller, params, body }) =>
  catalog.submitUpdate(caller, kind, params.oneOffProductId, body),
)
