import { submitEmailChange } from '@/lib/workflows/email-change/submit-email-change.ts'
import { formRoutes } from '../../../../form.ts'

export const { GET, POST } = formRoutes('portal/email-change', submitEmailChange)
