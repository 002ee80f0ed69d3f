import { submitPayout } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../../(hosted)/form.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/balance', pathOf: (place) => `${pathOf(place)}/balance`, otherwise: '/admin' },
  (place, form, { cookies }) => submitPayout(place, form, cookies),
)
