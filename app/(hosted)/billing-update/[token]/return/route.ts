import { afterVerificationReturn } from '@/lib/workflows/billing-update/submit-billing-update.ts'
import { returnRoute } from '../../../form.ts'

export const GET = returnRoute('billing-update', afterVerificationReturn)
