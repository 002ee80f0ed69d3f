import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitNewStorefront } from '@/lib/admin/pages.ts'

export const { GET, POST } = sessionFormRoutes<Record<string, never>>(
  { page: 'admin/storefronts', pathOf: () => '/admin/storefronts/new', otherwise: '/admin' },
  (_, form, { cookies }) => submitNewStorefront(form, cookies),
)
