import { submitPeople } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/people', pathOf: () => '/admin/people', otherwise: '/admin' },
  (_, form, { cookies }) => submitPeople(form, cookies),
)
