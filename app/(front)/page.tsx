import { FrontPage } from '@/components/front-page.tsx'

/** Rendered at each request, because its scripts need the nonce of the request. */
export const dynamic = 'force-dynamic'

export default function Page() {
  return <FrontPage />
}
