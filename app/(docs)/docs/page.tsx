import type { Metadata } from 'next'
import { guideMetadata, showGuide } from './guide.tsx'

export const dynamic = 'force-dynamic'

export const generateMetadata = (): Promise<Metadata> => guideMetadata('')

export default function Page() {
  return showGuide('')
}
