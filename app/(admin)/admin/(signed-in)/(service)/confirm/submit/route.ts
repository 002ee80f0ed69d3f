import { submitConfirm } from '@/lib/modules/operators/manage-sessions.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/confirm', pathOf: () => '/admin', otherwise: '/admin' },
  (_, form, { cookies }) => submitConfirm(form, cookies),
)
