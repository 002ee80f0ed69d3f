import { fileRoute } from '@/app/file-route.ts'
import { downloadPayoutFile } from '@/lib/admin/pages.ts'

export const { GET, POST } = fileRoute<{ id: string }>(
  { page: 'admin/payout-files', pathOf: () => '/admin/payout-files', contentType: 'application/xml' },
  ({ id }, { cookies }) => downloadPayoutFile(id, cookies),
)
