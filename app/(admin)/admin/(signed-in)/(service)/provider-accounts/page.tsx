import { notFound } from 'next/navigation'
import { ProviderAccounts } from '@/components/admin/provider-accounts.tsx'
import { providerAccountsPage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.provider-accounts')

export default async function Page() {
  const page = await providerAccountsPage(await cookiesOf())
  return page ? <ProviderAccounts page={page} /> : notFound()
}
