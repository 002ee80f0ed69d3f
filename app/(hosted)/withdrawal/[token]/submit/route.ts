import { submitWithdrawal } from '@/lib/workflows/withdrawal/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('withdrawal', submitWithdrawal)
