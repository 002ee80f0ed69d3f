import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'one_off_product'

export const GET = route(contract.getProduct, ({ context, params }) => catalog.get(context, kind, params.id))
export const PATCH = route(contract.updateProduct, ({ context, params, body }) =>
  catalog.submitUpdate(context, kind, params.id, body),
)
