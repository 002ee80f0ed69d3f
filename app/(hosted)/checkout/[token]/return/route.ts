import { afterReturn } from '@/lib/workflows/sale/submit-checkout.ts'
import { returnRoute } from '../../../form.ts'

export const GET = returnRoute('checkout', afterReturn)
