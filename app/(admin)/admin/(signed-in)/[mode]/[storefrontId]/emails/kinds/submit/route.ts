import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitEmailKinds } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/emails', pathOf: (place) => `${pathOf(place)}/emails/kinds`, otherwise: '/admin' },
  (place, form, { cookies }) => submitEmailKinds(place, form, cookies),
)
