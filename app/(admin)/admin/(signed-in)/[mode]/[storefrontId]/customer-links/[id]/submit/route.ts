import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitCustomerLink } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  { page: 'admin/customer-links', pathOf: (place) => `${pathOf(place)}/customers`, otherwise: '/admin' },
  ({ id, ...place }, form, { cookies }) => submitCustomerLink(place, id, form, cookies),
)
