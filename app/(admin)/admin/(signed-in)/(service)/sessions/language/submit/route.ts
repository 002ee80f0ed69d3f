import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitLanguage } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sessions', pathOf: () => '/admin/sessions', otherwise: '/admin/sign-in' },
  (_, form, { cookies }) => submitLanguage(form, cookies),
)
