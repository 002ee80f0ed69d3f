import { submitForgotten } from '@/lib/workflows/password-reset/hosted.ts'
import { sessionFormRoutes } from '../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/password', pathOf: () => '/admin/password', otherwise: '/admin/password' },
  (_, form) => submitForgotten(form),
)
