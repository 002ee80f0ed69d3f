import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitCustomerNotes } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string; id: string }>(
  {
    page: 'admin/customer-notes',
    pathOf: ({ id, ...place }) => `${pathOf(place)}/customers/${encodeURIComponent(id)}`,
    otherwise: '/admin',
  },
  ({ id, ...place }, form, { cookies }) => submitCustomerNotes(place, id, form, cookies),
)
