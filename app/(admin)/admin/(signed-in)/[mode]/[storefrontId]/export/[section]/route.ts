import { fileRoute } from '@/app/file-route.ts'
import { exportCsv } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = fileRoute<{ mode: string; storefrontId: string; section: string }>(
  {
    page: 'admin/export',
    pathOf: ({ section, ...place }) => `${pathOf(place)}/${encodeURIComponent(section)}`,
    contentType: 'text/csv; charset=utf-8',
  },
  ({ section, ...place }, { cookies, query }) => exportCsv(place, section, query, cookies),
)
