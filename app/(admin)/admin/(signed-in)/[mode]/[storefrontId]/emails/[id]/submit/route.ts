import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitEmail } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/emails',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/emails/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitEmail(place, id, form, cookies),
)
