import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitNewCheckout } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/checkouts', pathOf: (place) => `${pathOf(place)}/checkouts`, otherwise: '/admin' },
  (place, form, { cookies }) => submitNewCheckout(place, form, cookies),
)
