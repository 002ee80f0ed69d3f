import { submit } from '@/lib/workflows/sale/submit-checkout.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('checkout', submit)
