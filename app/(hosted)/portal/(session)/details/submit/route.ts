import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitDetails } from '@/lib/workflows/portal/submit-details.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/details', pathOf: () => '/portal/details', otherwise: '/portal' },
  (_, form, { cookies }) => submitDetails(form, cookies),
)
