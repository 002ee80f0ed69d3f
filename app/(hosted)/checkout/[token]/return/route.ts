import { afterReturn } from '@/lib/workflows/sale/hosted.ts'
import { returnRoute } from '../../../form.ts'

export const GET = returnRoute('checkout', afterReturn)
