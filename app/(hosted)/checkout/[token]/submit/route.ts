import { submit } from '@/lib/workflows/sale/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('checkout', submit)
