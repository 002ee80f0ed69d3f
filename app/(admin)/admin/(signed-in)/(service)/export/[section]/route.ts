import { fileRoute } from '@/app/file-route.ts'
import { exportStaffCsv } from '@/lib/admin/pages.ts'

export const { GET, POST } = fileRoute<{ section: string }>(
  {
    page: 'admin/export',
    pathOf: ({ section }) => `/admin/${encodeURIComponent(section)}`,
    contentType: 'text/csv; charset=utf-8',
  },
  ({ section }, { cookies, query }) => exportStaffCsv(section, query, cookies),
)
