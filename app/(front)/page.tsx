import { FrontPage } from '@/components/front-page.tsx'
import adminDark from '@/docs/images/admin-dark.webp'
import adminLight from '@/docs/images/admin-light.webp'
import checkoutDark from '@/docs/images/checkout-dark.webp'
import checkoutLight from '@/docs/images/checkout-light.webp'
import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'
import { version } from '@/package.json'

/** The page is rendered for each request, because its scripts need the nonce of the response. */
export const dynamic = 'force-dynamic'

const pictures = {
  checkout: { light: checkoutLight.src, dark: checkoutDark.src },
  admin: { light: adminLight.src, dark: adminDark.src },
}

const newest = shared(10_000, readiness)

export default async function Page() {
  const { status } = await newest()
  return <FrontPage pictures={pictures} status={status} version={version} />
}
