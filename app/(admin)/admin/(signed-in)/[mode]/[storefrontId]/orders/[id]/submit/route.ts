import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitOrder } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/orders',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/orders/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitOrder(place, id, form, cookies),
)
