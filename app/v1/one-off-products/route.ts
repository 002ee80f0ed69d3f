import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'one_off_product'

export const GET = route(contract.listProducts, ({ context, query, url }) => catalog.list(context, kind, query, url))
export const POST = route(contract.createProduct, ({ context, body }) => catalog.create(context, kind, body))
