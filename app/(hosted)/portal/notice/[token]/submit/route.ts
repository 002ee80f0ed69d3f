import { submitPortalNotice } from '@/lib/workflows/portal-sign-in/submit-notice.ts'
import { formRoutes } from '../../../../form.ts'

export const { GET, POST } = formRoutes('portal/notice', submitPortalNotice)
