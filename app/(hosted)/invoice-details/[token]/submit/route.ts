import { submitInvoiceUpdate } from '@/lib/corrections/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('invoice-details', submitInvoiceUpdate)
