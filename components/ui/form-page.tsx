import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { ErrorSummary } from './error-summary.tsx'

export function FormPage({
  about,
  refused,
  children,
}: {
  about: ReactNode
  refused: ComponentProps<typeof ErrorSummary>['problems']
  children: ReactNode
}) {
  const t = useTranslations('problems')
  return (
    <main className="mx-auto grid max-w-5xl grid-cols-1 wide:grid-cols-2">
      <div className="px-5 pt-4 pb-3 wide:sticky wide:top-0 wide:self-start wide:px-0 wide:pe-16 wide:pt-10 wide:pb-10">
        {about}
      </div>
      <div className="bg-paper px-5 pt-4 pb-8 max-wide:border-line max-wide:border-t wide:ps-16 wide:pe-0 wide:pt-3 wide:pb-12">
        {refused.length > 0 && (
          <div className="mb-5">
            <ErrorSummary heading={t('heading', { count: refused.length })} problems={refused} />
          </div>
        )}
        {children}
      </div>
    </main>
  )
}
