import { chooseOutcome } from '@/lib/workflows/test-payment-page/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('pay', chooseOutcome)
