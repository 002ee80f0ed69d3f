import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSubscription } from '@/lib/workflows/portal/submit-portal.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  {
    page: 'portal/subscriptions',
    pathOf: ({ id }) => `/portal/subscriptions/${encodeURIComponent(id)}`,
    otherwise: '/portal',
  },
  ({ id }, form, { cookies }) => submitSubscription(id, form, cookies),
)
