import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitEmail } from '@/lib/workflows/email-change/submit-email-change.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'portal/email', pathOf: () => '/portal/email', otherwise: '/portal' },
  (_, form, { cookies }) => submitEmail(form, cookies),
)
