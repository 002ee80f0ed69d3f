import { secondaryButton } from '@/components/ui/button.ts'
import type { TaxReturnsPage } from '@/lib/modules/tax/page.ts'
import { Heading, Tabs } from './page-parts.tsx'
import { periodName } from './period-name.ts'
import { adminText as t } from './text.ts'

export function TaxReturns({ page: { quarter, quarters, isFinal, problem, files } }: { page: TaxReturnsPage }) {
  return (
    <>
      {problem && (
        <p className="mb-4 rounded-box border border-wrong bg-wrong-tint p-3" role="alert">
          {problem === 'busy' ? t('taxReturns.busy') : t('taxReturns.refused', { reason: problem })}
        </p>
      )}
      <Heading note={t('taxReturns.text')}>{t('taxReturns.heading')}</Heading>
      <Tabs
        label={t('taxReport.quarters')}
        tabs={quarters.map(({ name, url }) => ({ url, text: periodName(name), isOpen: name === quarter }))}
      />
      {!isFinal && <p className="mt-4 text-soft">{t('balance.statement.provisional')}</p>}
      <ul className="mt-4 grid max-w-2xl gap-6">
        {files.map(({ file, url }) => (
          <li key={file}>
            <form action={url} method="post">
              <button className={secondaryButton} type="submit">
                {t(`taxReturns.files.${file}`, { quarter: periodName(quarter) })}
              </button>
            </form>
            <p className="mt-1 text-note text-soft">{t(`taxReturns.hints.${file}`)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
