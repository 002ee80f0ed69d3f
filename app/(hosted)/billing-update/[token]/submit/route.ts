import { submitBillingUpdate } from '@/lib/workflows/billing-update/submit-billing-update.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('billing-update', submitBillingUpdate)
