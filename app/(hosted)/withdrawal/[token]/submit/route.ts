import { submitWithdrawal } from '@/lib/workflows/withdrawal/submit-withdrawal.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('withdrawal', submitWithdrawal)
