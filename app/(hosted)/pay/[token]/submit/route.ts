import { chooseOutcome } from '@/lib/workflows/test-payment-page/submit-test-payment.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('pay', chooseOutcome)
