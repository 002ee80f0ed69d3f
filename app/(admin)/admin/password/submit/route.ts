import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitForgotten } from '@/lib/workflows/password-reset/submit-password-reset.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/password', pathOf: () => '/admin/password', otherwise: '/admin/password' },
  (_, form) => submitForgotten(form),
)
