import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPayoutFiles } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/payout-files', pathOf: () => '/admin/payout-files', otherwise: '/admin' },
  (_, form, { cookies }) => submitPayoutFiles(form, cookies),
)
