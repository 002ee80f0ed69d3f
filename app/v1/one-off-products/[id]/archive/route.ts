import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'one_off_product'

export const POST = route(contract.archiveProduct, ({ context, params }) => catalog.archive(context, kind, params.id))
export const DELETE = route(contract.unarchiveProduct, ({ context, params }) =>
  catalog.unarchive(context, kind, params.id),
)
