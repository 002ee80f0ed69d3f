import { useTranslations } from 'next-intl'
import { type PortalNotice as Notice, portalNotices } from '@/lib/modules/portal/page.ts'

export function PortalNotice({ notice }: { notice: string | null }) {
  const t = useTranslations('portal.notices')
  const known: Notice | undefined = portalNotices.find((each) => each === notice)
  if (!known) return null
  return (
    <p className="mb-6 rounded-box border border-line bg-tint p-4 font-semibold" role="status">
      {t(known)}
    </p>
  )
}
