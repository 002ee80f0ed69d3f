import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitKeys } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/keys', pathOf: (place) => `${pathOf(place)}/keys`, otherwise: '/admin' },
  (place, form, { cookies }) => submitKeys(place, form, cookies),
)
