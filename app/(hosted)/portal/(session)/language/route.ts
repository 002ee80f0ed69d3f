import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitLanguage } from '@/lib/workflows/portal/submit-portal.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/language', pathOf: () => '/portal', otherwise: '/portal' },
  (_, form, { cookies }) => submitLanguage(form, cookies),
)
