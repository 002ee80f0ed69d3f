import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitDelivery } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/deliveries',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/deliveries/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitDelivery(place, id, form, cookies),
)
