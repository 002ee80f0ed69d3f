import { formRoutes } from '@/app/form-routes.ts'
import { submitInvoiceUpdate } from '@/lib/workflows/invoice-update/submit-invoice-update.ts'

export const { GET, POST } = formRoutes('invoice-update', submitInvoiceUpdate)
