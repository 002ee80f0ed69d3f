import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { Frame } from '@/components/admin/frame.tsx'
import { adminText as t } from '@/components/admin/text.ts'
import { type StorefrontPath, storefrontFrame } from '@/lib/admin/pages.ts'
import { chooseLanguage, cookiesOf } from '../../../cookies.ts'
import { titlesBelow } from '../../../title.ts'

export async function generateMetadata({ params }: { params: Promise<StorefrontPath> }): Promise<Metadata> {
  await chooseLanguage()
  const { mode } = await params
  return titlesBelow(t(`storefront.modes.${mode === 'live' ? 'live' : 'test'}`), t('title'))
}

export default async function Layout({ params, children }: { params: Promise<StorefrontPath>; children: ReactNode }) {
  const frame = await storefrontFrame(await params, await cookiesOf())
  return frame ? <Frame frame={frame}>{children}</Frame> : notFound()
}
