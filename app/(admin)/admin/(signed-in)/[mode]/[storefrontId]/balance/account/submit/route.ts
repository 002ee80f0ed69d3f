import { sessionFormRoutes } from '@/app/form-routes.ts'
import { submitPayoutAccount } from '@/lib/admin/pages.ts'
import { pathOf } from '../../../../../../cookies.ts'

export const { GET, POST } = sessionFormRoutes<{ mode: string; storefrontId: string }>(
  { page: 'admin/payout-account', pathOf: (place) => `${pathOf(place)}/balance/account`, otherwise: '/admin' },
  (place, form, { cookies }) => submitPayoutAccount(place, form, cookies),
)
