import { submitForgotten } from '@/lib/workflows/password-reset/submit-password-reset.ts'
import { sessionFormRoutes } from '../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/password', pathOf: () => '/admin/password', otherwise: '/admin/password' },
  (_, form) => submitForgotten(form),
)
