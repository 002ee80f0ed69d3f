import { submitBillingUpdate } from '@/lib/workflows/billing-update/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('billing-update', submitBillingUpdate)
