import { fileRoute } from '@/app/file-route.ts'
import { exportTaxReport } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = fileRoute<{ mode: string; storefrontId: string; period: string }>(
  {
    page: 'admin/tax-report',
    pathOf: ({ period, ...place }) => `${pathOf(place)}/tax-report?period=${encodeURIComponent(period)}`,
    contentType: 'text/csv; charset=utf-8',
  },
  ({ period, ...place }, { cookies }) => exportTaxReport(place, period, cookies),
)
