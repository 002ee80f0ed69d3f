import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPassword } from '@/lib/workflows/password-reset/submit-password-reset.ts'

const pathOf = ({ token }: { token: string }) => `/admin/password/${encodeURIComponent(token)}`

export const { GET, POST } = sessionFormRoutes<{ token: string }>(
  { page: 'admin/password', pathOf, otherwise: '/admin/password' },
  ({ token }, form, sender) => submitPassword(token, form, sender),
)
