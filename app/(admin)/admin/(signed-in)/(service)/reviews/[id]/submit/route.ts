import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitReview } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes<{ id: string }>(
  {
    page: 'admin/reviews',
    pathOf: ({ id }) => `/admin/reviews/${encodeURIComponent(id)}`,
    otherwise: '/admin/sign-in',
  },
  ({ id }, form, { cookies }) => submitReview(id, form, cookies),
)
