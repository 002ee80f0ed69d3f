import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitNewPaymentLink } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/payment-links', pathOf: (place) => `${pathOf(place)}/payment-links`, otherwise: '/admin' },
  (place, form, { cookies }) => submitNewPaymentLink(place, form, cookies),
)
