import { submitPersonalData } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/personal-data', pathOf: () => '/admin/personal-data', otherwise: '/admin' },
  (_, form, { cookies }) => submitPersonalData(form, cookies),
)
