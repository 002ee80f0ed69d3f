import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPersonalData } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/personal-data', pathOf: () => '/admin/personal-data', otherwise: '/admin' },
  (_, form, { cookies }) => submitPersonalData(form, cookies),
)
