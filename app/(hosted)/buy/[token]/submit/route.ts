import { submitPaymentLink } from '@/lib/workflows/sale/submit-payment-link.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('buy', submitPaymentLink)
