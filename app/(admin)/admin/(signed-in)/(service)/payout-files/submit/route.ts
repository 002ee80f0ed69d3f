import { submitPayoutFiles } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/payout-files', pathOf: () => '/admin/payout-files', otherwise: '/admin' },
  (_, form, { cookies }) => submitPayoutFiles(form, cookies),
)
