import { submitInvoiceUpdate } from '@/lib/workflows/invoice-update/hosted.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('invoice-update', submitInvoiceUpdate)
