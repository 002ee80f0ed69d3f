import { downloadPayoutFile } from '@/lib/admin/pages.ts'
import { fileRoute } from '../../../../../../../(hosted)/download.ts'

export const { GET, POST } = fileRoute<{ id: string }>(
  { page: 'admin/payout-files', pathOf: () => '/admin/payout-files', contentType: 'application/xml' },
  ({ id }, { cookies }) => downloadPayoutFile(id, cookies),
)
