import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPasskey } from '@/lib/workflows/passkeys/manage-passkeys.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sessions', pathOf: () => '/admin/sessions', otherwise: '/admin/sign-in' },
  (_, form, { cookies }) => submitPasskey(form, cookies),
)
