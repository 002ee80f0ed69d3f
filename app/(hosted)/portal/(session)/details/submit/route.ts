import { submitDetails } from '@/lib/workflows/portal/submit-details.ts'
import { sessionFormRoutes } from '../../../../form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/details', pathOf: () => '/portal/details', otherwise: '/portal' },
  (_, form, { cookies }) => submitDetails(form, cookies),
)
