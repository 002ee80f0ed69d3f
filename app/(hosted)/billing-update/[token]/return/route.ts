import { returnRoute } from '@/app/form-routes.ts'
import { afterVerificationReturn } from '@/lib/workflows/billing-update/submit-billing-update.ts'

export const GET = returnRoute('billing-update', afterVerificationReturn)
