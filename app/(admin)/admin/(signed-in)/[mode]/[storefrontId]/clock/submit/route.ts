import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitClock } from '@/lib/admin/pages.ts'
import { tasks } from '@/lib/server/jobs.ts'
import { pathOf } from '../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/clock', pathOf: (place) => `${pathOf(place)}/clock`, otherwise: '/admin' },
  (place, form, { cookies }) => submitClock(place, form, tasks.embedded, cookies),
)
