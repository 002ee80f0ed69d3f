import { fileRoute } from '@/app/file-route.ts'
import { exportStatement } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = fileRoute<{ mode: string; storefrontId: string; month: string }>(
  {
    page: 'admin/statement',
    pathOf: ({ month, ...place }) => `${pathOf(place)}/balance/statements/${encodeURIComponent(month)}`,
    contentType: 'text/csv; charset=utf-8',
  },
  ({ month, ...place }, { cookies }) => exportStatement(place, month, cookies),
)
