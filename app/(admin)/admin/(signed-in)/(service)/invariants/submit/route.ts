import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitInvariants } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/invariants', pathOf: () => '/admin/invariants', otherwise: '/admin' },
  (_, form, { cookies }) => submitInvariants(form, cookies),
)
