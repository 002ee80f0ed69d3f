import { afterVerificationReturn } from '@/lib/workflows/billing-update/hosted.ts'
import { returnRoute } from '../../../form.ts'

export const GET = returnRoute('billing-update', afterVerificationReturn)
