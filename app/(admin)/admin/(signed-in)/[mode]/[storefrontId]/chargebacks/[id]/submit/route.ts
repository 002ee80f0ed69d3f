import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitChargeback } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/chargebacks',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/chargebacks/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitChargeback(place, id, form, cookies),
)
