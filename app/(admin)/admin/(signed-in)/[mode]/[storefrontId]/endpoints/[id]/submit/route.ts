import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitEndpoint } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/endpoints',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/endpoints/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitEndpoint(place, id, form, cookies),
)
