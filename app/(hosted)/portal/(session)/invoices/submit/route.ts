import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitDocument } from '@/lib/workflows/portal/submit-portal.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/invoices', pathOf: () => '/portal/invoices', otherwise: '/portal' },
  (_, form, { cookies }) => submitDocument(form, cookies),
)
