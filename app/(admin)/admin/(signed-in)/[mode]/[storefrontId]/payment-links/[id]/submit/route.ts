import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPaymentLink } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/payment-links',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/payment-links/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitPaymentLink(place, id, form, cookies),
)
