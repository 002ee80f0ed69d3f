import { submitChange } from '@/lib/workflows/portal/submit-change.ts'
import { sessionFormRoutes } from '../../../../../../form.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  {
    page: 'portal/change',
    pathOf: ({ id }) => `/portal/subscriptions/${encodeURIComponent(id)}/change`,
    otherwise: '/portal',
  },
  ({ id }, form, { cookies }) => submitChange(id, form, cookies),
)
