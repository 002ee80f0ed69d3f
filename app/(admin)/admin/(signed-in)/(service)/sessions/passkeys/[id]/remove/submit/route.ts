import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitRemovePasskey } from '@/lib/workflows/passkeys/manage-passkeys.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  { page: 'admin/sessions', pathOf: () => '/admin/sessions', otherwise: '/admin/sign-in' },
  ({ id }, form, { cookies }) => submitRemovePasskey(id, form, cookies),
)
