import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitCatalogItem } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/catalog',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/catalog/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitCatalogItem(place, id, form, cookies),
)
