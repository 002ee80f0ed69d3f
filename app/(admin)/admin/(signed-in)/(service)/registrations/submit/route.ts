import { submitRegistrations } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/registrations', pathOf: () => '/admin/registrations', otherwise: '/admin' },
  (_, form, { cookies }) => submitRegistrations(form, cookies),
)
