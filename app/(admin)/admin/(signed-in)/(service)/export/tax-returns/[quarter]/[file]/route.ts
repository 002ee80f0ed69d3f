import { fileRoute } from '@/app/file-route.ts'
import { exportTaxReturn } from '@/lib/admin/pages.ts'

export const { GET, POST } = fileRoute<{ quarter: string; file: string }>(
  {
    page: 'admin/tax-returns',
    pathOf: ({ quarter }) => `/admin/tax-returns?${new URLSearchParams({ quarter })}`,
    contentType: 'text/csv; charset=utf-8',
  },
  (of, { cookies }) => exportTaxReturn(of, cookies),
)
