import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitSecondFactor, towardsWanted } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/second-factor', pathOf: () => '/admin/second-factor', otherwise: '/admin/sign-in' },
  async (_, form, { cookies }) => towardsWanted(form, await submitSecondFactor(form, cookies)),
)
