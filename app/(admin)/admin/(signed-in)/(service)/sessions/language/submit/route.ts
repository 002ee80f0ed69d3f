import { submitLanguage } from '@/lib/modules/operators/manage-sessions.ts'
import { sessionFormRoutes } from '../../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes(
  { page: 'admin/sessions', pathOf: () => '/admin/sessions', otherwise: '/admin/sign-in' },
  (_, form, { cookies }) => submitLanguage(form, cookies),
)
