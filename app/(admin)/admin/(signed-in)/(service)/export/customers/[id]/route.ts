import { fileRoute } from '@/app/file-route.ts'
import { exportCustomerData } from '@/lib/admin/pages.ts'

export const { GET, POST } = fileRoute<{ id: string }>(
  { page: 'admin/personal-data', pathOf: () => '/admin/personal-data', contentType: 'application/json' },
  ({ id }, { cookies }) => exportCustomerData(id, cookies),
)
