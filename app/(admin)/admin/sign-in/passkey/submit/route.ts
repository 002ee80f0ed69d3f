import { sessionFormRoutes } from '@/app/form-routes.ts'
import { towardsWanted } from '@/lib/modules/operators/manage-sessions.ts'
import { submitPasskeyLogIn } from '@/lib/workflows/passkeys/manage-passkeys.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sign-in', pathOf: () => '/admin/sign-in', otherwise: '/admin/sign-in' },
  async (_, form, sender) => towardsWanted(form, await submitPasskeyLogIn(form, sender)),
)
