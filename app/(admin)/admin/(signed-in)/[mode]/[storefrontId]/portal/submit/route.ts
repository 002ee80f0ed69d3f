import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPortal } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/portal', pathOf: (place) => `${pathOf(place)}/portal`, otherwise: '/admin' },
  (place, form, { cookies }) => submitPortal(place, form, cookies),
)
