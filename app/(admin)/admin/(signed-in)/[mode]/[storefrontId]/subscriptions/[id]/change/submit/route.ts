import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSubscriptionChange } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/subscriptions',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/subscriptions/${encodeURIComponent(id)}/change`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitSubscriptionChange(place, id, form, cookies),
)
