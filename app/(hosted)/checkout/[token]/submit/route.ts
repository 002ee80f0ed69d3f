import { submit } from '@/lib/checkouts/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('checkout', submit)
