import { chooseOutcome } from '@/lib/payments/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('pay', chooseOutcome)
