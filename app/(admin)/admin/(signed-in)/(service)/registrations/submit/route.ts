import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitRegistrations } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/registrations', pathOf: () => '/admin/registrations', otherwise: '/admin' },
  (_, form, { cookies }) => submitRegistrations(form, cookies),
)
