import { formRoutes } from '@/app/form-routes.ts'
import { chooseOutcome } from '@/lib/workflows/test-payment-page/submit-test-payment.ts'

export const { GET, POST } = formRoutes('pay', chooseOutcome)
