import { formRoutes } from '@/app/form-routes.ts'
import { submitPortalSignIn } from '@/lib/workflows/portal-sign-in/submit-sign-in.ts'

export const { GET, POST } = formRoutes('portal/sign-in', submitPortalSignIn)
