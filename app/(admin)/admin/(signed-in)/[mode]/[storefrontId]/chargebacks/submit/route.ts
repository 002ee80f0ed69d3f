import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitChargebacks } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/chargebacks', pathOf: (place) => `${pathOf(place)}/chargebacks`, otherwise: '/admin' },
  (place, form, { cookies }) => submitChargebacks(place, form, cookies),
)
