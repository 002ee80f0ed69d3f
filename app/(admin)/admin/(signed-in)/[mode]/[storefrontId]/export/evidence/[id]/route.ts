import { fileRoute } from '@/app/file-route.ts'
import { exportEvidence } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = fileRoute<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/evidence',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/orders/${encodeURIComponent(id)}`,
    contentType: 'application/pdf',
  },
  ({ id, ...place }, { cookies }) => exportEvidence(place, id, cookies),
)
