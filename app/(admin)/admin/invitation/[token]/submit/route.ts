import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitInvitation } from '@/lib/workflows/members/submit-invitation.ts'

const pathOf = ({ token }: { token: string }) => `/admin/invitation/${encodeURIComponent(token)}`

export const { GET, POST } = sessionFormRoutes<{ token: string }>(
  { page: 'admin/invitation', pathOf, otherwise: '/admin/sign-in' },
  ({ token }, form, { address, name }) => submitInvitation(token, form, { address, name }),
)
