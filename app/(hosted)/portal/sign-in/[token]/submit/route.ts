import { submitPortalSignIn } from '@/lib/workflows/portal-sign-in/submit-sign-in.ts'
import { formRoutes } from '../../../../form.ts'

export const { GET, POST } = formRoutes('portal/sign-in', submitPortalSignIn)
