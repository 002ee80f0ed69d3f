import { formRoutes } from '@/app/form-routes.ts'
import { submitCheckout } from '@/lib/workflows/sale/submit-checkout.ts'

export const { GET, POST } = formRoutes('checkout', submitCheckout)
