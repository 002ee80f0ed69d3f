import { formRoutes } from '@/app/form-routes.ts'
import { submitPaymentLink } from '@/lib/workflows/sale/submit-payment-link.ts'

export const { GET, POST } = formRoutes('buy', submitPaymentLink)
