import { submitInvitation } from '@/lib/workflows/members/submit-invitation.ts'
import { sessionFormRoutes } from '../../../../../(hosted)/form.ts'

const pathOf = ({ token }: { token: string }) => `/admin/invitation/${encodeURIComponent(token)}`

export const { GET, POST } = sessionFormRoutes<{ token: string }>(
  { page: 'admin/invitation', pathOf, otherwise: '/admin/sign-in' },
  ({ token }, form, { address, name }) => submitInvitation(token, form, { address, name }),
)
