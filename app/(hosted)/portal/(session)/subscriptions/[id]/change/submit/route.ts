import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitChange } from '@/lib/workflows/portal/submit-change.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  {
    page: 'portal/change',
    pathOf: ({ id }) => `/portal/subscriptions/${encodeURIComponent(id)}/change`,
    otherwise: '/portal',
  },
  ({ id }, form, { cookies }) => submitChange(id, form, cookies),
)
