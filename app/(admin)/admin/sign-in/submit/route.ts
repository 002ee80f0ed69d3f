import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSignIn, towardsWanted } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sign-in', pathOf: () => '/admin/sign-in', otherwise: '/admin/sign-in' },
  async (_, form, sender) => towardsWanted(form, await submitSignIn(form, sender)),
)
