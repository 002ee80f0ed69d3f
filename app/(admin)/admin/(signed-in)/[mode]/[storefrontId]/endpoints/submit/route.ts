import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitNewEndpoint } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/endpoints', pathOf: (place) => `${pathOf(place)}/endpoints`, otherwise: '/admin' },
  (place, form, { cookies }) => submitNewEndpoint(place, form, cookies),
)
