import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitMembers } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/members', pathOf: (place) => `${pathOf(place)}/members`, otherwise: '/admin' },
  (place, form, { cookies }) => submitMembers(place, form, cookies),
)
