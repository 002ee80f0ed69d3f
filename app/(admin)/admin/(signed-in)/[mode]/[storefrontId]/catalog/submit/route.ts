import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitNewCatalogItem } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/catalog', pathOf: (place) => `${pathOf(place)}/catalog`, otherwise: '/admin' },
  (place, form, { cookies }) => submitNewCatalogItem(place, form, cookies),
)
