import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitConfirm } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/confirm', pathOf: () => '/admin', otherwise: '/admin' },
  (_, form, { cookies }) => submitConfirm(form, cookies),
)
