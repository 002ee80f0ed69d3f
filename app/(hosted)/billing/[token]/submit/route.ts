import { submitBillingUpdate } from '@/lib/billing/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('billing', submitBillingUpdate)
