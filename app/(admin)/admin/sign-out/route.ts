import { sessionFormRoutes } from '@/app/form-routes.ts'
import { signOut } from '@/lib/modules/operators/manage-sessions.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sign-out', pathOf: () => '/admin', otherwise: '/admin/sign-in' },
  (_, __, { cookies }) => signOut(cookies),
)
