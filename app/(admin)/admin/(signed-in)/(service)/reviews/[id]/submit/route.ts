import { submitReview } from '@/lib/admin/pages.ts'
import { sessionFormRoutes } from '../../../../../../../(hosted)/form.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  {
    page: 'admin/reviews',
    pathOf: ({ id }) => `/admin/reviews/${encodeURIComponent(id)}`,
    otherwise: '/admin/sign-in',
  },
  ({ id }, form, { cookies }) => submitReview(id, form, cookies),
)
