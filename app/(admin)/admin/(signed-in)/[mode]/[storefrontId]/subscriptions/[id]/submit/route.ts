import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSubscription } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/subscriptions',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/subscriptions/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitSubscription(place, id, form, cookies),
)
