import { sessionFormRoutes } from '@/app/form-routes.ts'
import { signOut } from '@/lib/workflows/portal-sign-in/submit-sign-in.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/sign-out', pathOf: () => '/portal', otherwise: '/portal' },
  (_, __, { cookies }) => signOut(cookies),
)
