import { submitInvoiceUpdate } from '@/lib/workflows/invoice-update/submit-invoice-update.ts'
import { formRoutes } from '../../../form.ts'

export const { GET, POST } = formRoutes('invoice-update', submitInvoiceUpdate)
