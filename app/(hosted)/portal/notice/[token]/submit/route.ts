import { formRoutes } from '@/app/form-routes.ts'
import { submitPortalNotice } from '@/lib/workflows/portal-sign-in/submit-notice.ts'

export const { GET, POST } = formRoutes('portal/notice', submitPortalNotice)
