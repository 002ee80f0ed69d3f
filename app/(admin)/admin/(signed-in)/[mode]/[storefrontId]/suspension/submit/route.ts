import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSuspension } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/suspension', pathOf: (place) => `${pathOf(place)}/suspension`, otherwise: '/admin' },
  (place, form, { cookies }) => submitSuspension(place, form, cookies),
)
