import { notFound } from 'next/navigation'
import { ChargebacksToDecide } from '@/components/admin/chargebacks.tsx'
import { chargebacksToDecidePage } from '@/lib/admin/pages.ts'
import { cookiesOf } from '../../../cookies.ts'
import { titled } from '../../../title.ts'

export const generateMetadata = titled('nav.disputes')

export default async function Page() {
  const waiting = await chargebacksToDecidePage(await cookiesOf())
  return waiting ? <ChargebacksToDecide waiting={waiting} /> : notFound()
}
