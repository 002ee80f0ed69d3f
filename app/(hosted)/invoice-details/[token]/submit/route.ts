import { submitCorrection } from '@/lib/corrections/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('invoice-details', submitCorrection)
