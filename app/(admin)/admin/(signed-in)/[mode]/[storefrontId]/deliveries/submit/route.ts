import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitDeliveries } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/deliveries', pathOf: (place) => `${pathOf(place)}/deliveries`, otherwise: '/admin' },
  (place, form, { cookies }) => submitDeliveries(place, form, cookies),
)
