import { submitInvariants } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/invariants', pathOf: () => '/admin/invariants', otherwise: '/admin' },
  (_, form, { cookies }) => submitInvariants(form, cookies),
)
