import { fileRoute } from '@/app/file-route.ts'
import { exportStatementPdf } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../../cookies.ts'

export const { GET, POST } = fileRoute<{ mode: string; storefrontId: string; month: string }>(
  {
    page: 'admin/statement',
    pathOf: ({ month, ...place }) => `${pathOf(place)}/balance/statements/${encodeURIComponent(month)}`,
    contentType: 'application/pdf',
  },
  ({ month, ...place }, { cookies }) => exportStatementPdf(place, month, cookies),
)
