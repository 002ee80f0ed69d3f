import { submitPortalSignIn } from '@/lib/workflows/portal-sign-in/hosted.ts'
import { formRoutes } from '../../../../form.ts'

export const { GET, POST } = formRoutes('portal/sign-in', submitPortalSignIn)
