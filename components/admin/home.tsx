import { Icon } from '@/components/ui/icon.tsx'
import type { StorefrontOverview } from '@/lib/modules/accounts/page.ts'
import { Activity } from './activity.tsx'
import { Figures } from './figures.tsx'
import { OrderTable } from './orders.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

interface HomeProps {
  overview: StorefrontOverview
  path: string
  outcome: FormResult
}

/** Before the first sale, the steps of the setup replace the figures. */
export function Home({ overview, path, outcome }: HomeProps) {
  const { attention, setUp, orders, activity, eventsUrl } = overview
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'newStorefront.created' }} />
      <Heading>{t('storefront.nav.overview')}</Heading>
      {setUp.length > 0 && <SetUp steps={setUp} />}
      {attention.length > 0 && <NeedsAttention attention={attention} />}
      {setUp.length === 0 && <Figures balances={overview.balances} figures={overview.figures} />}
      <Section id="orders" label="storefront.newestOrders">
        <OrderTable orders={orders} path={path} />
      </Section>
      <Activity activity={activity} eventsUrl={eventsUrl} />
    </>
  )
}

const SetUp = ({ steps }: { steps: StorefrontOverview['setUp'] }) => (
  <section aria-labelledby="set-up" className="mt-4 rounded-box border border-line bg-paper p-4">
    <h2 className="font-semibold text-lead" id="set-up">
      {t('home.setUp.heading')}
    </h2>
    <ul className="mt-2">
      {steps.map(({ what, isDone, url }) => (
        <li className="flex min-h-9 items-center gap-3" key={what}>
          <Icon className={`size-5 shrink-0 ${isDone ? 'text-done' : 'text-field'}`} name={isDone ? 'done' : 'clock'} />
          {isDone ? (
            <span className="text-soft">
              {t(`home.setUp.${what}`)} <span className="sr-only">{t('home.setUp.done')}</span>
            </span>
          ) : (
            <a href={url}>{t(`home.setUp.${what}`)}</a>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const NeedsAttention = ({ attention }: { attention: StorefrontOverview['attention'] }) => (
  <section aria-labelledby="attention" className="mt-4 rounded-box border border-warn bg-warn-tint p-4">
    <h2 className="font-semibold" id="attention">
      {t('home.attention.heading')}
    </h2>
    <ul className="mt-1">
      {attention.map(({ what, count, url }) => (
        <li key={what}>
          <a className="inline-flex min-h-8 items-center text-ink underline underline-offset-2" href={url}>
            {t(`home.attention.${what}`, { count, shown: count > 99 ? '99+' : count })}
          </a>
        </li>
      ))}
    </ul>
  </section>
)
