import { submitPasskeyLogIn } from '@/lib/workflows/passkeys/hosted.ts'
import { sessionFormRoutes } from '../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sign-in', pathOf: () => '/admin/sign-in', otherwise: '/admin/sign-in' },
  (_, form, { address, name }) => submitPasskeyLogIn(form, { address, name }),
)
