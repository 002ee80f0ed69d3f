import { formRoutes } from '@/app/form-routes.ts'
import { submitWithdrawal } from '@/lib/workflows/withdrawal/submit-withdrawal.ts'

export const { GET, POST } = formRoutes('withdrawal', submitWithdrawal)
