import { formRoutes } from '@/app/form-routes.ts'
import { submitBillingUpdate } from '@/lib/workflows/billing-update/submit-billing-update.ts'

export const { GET, POST } = formRoutes('billing-update', submitBillingUpdate)
