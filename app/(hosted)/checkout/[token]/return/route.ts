import { returnRoute } from '@/app/form-routes.ts'
import { afterReturn } from '@/lib/workflows/sale/submit-checkout.ts'

export const GET = returnRoute('checkout', afterReturn)
