import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitEndSession } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  { page: 'admin/sessions', pathOf: () => '/admin/sessions', otherwise: '/admin/sign-in' },
  ({ id }, _, { cookies }) => submitEndSession(id, cookies),
)
