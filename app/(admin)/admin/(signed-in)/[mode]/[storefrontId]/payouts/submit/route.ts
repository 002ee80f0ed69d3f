import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPayouts } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/payouts', pathOf: (place) => `${pathOf(place)}/payouts`, otherwise: '/admin' },
  (place, form, { cookies }) => submitPayouts(place, form, cookies),
)
