import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPeople } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/people', pathOf: () => '/admin/people', otherwise: '/admin' },
  (_, form, { cookies }) => submitPeople(form, cookies),
)
