import { formRoutes } from '@/app/form-routes.ts'
import { submitEmailChange } from '@/lib/workflows/email-change/submit-email-change.ts'

export const { GET, POST } = formRoutes('portal/email-change', submitEmailChange)
