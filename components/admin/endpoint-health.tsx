import { shareText } from '@/components/format.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { secondaryButton } from '@/components/ui/button.ts'
import type { EndpointPage, PingResult, ShownHealth } from '@/lib/modules/webhooks/page.ts'
import { errorText } from './delivery-error.ts'
import { Moment } from './moment.tsx'
import { Facts, Section } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

const tones: Readonly<Record<ShownHealth['state'], Tone>> = {
  disabled: 'neutral',
  unused: 'neutral',
  failing: 'danger',
  working: 'success',
}

export const HealthBadge = ({ health: { state } }: { health: ShownHealth }) => (
  <Badge tone={tones[state]}>{t(`webhooks.states.${state}`)}</Badge>
)

export function successOf({ rate, succeeded, failed }: ShownHealth['day']): string {
  if (rate === null) return t('webhooks.noAttempts')
  return t('webhooks.success', { rate: shareText(rate / 1000, adminLocale()), count: succeeded + failed, failed })
}

const responseOf = ({ status, error }: { status: number | null; error: string | null }) =>
  status === null ? errorText(error ?? '') : `HTTP ${status}`

const waitingOf = ({ waiting, isMoreWaiting }: ShownHealth) => `${waiting}${isMoreWaiting ? '+' : ''}`

export const LastFailure = ({ failure, path }: { failure: NonNullable<ShownHealth['lastFailure']>; path: string }) => (
  <>
    <Moment at={failure.at} />
    {failure.attempt && (
      <>
        {' '}
        <a href={`${path}/deliveries/${failure.attempt.deliveryId}`}>{responseOf(failure.attempt)}</a>
      </>
    )}
  </>
)

export const Health = ({ page: { health, endpoint }, path }: { page: EndpointPage; path: string }) => {
  const { day, week, lastSucceededAt, lastFailure, oldest, waiting } = health
  return (
    <Section id="health" label="webhooks.health">
      <Facts
        facts={[
          ['status', <HealthBadge health={health} key="state" />],
          ['webhooks.day', successOf(day)],
          ['webhooks.week', successOf(week)],
          ['webhooks.lastSuccess', lastSucceededAt && <Moment at={lastSucceededAt} key="success" />],
          ['webhooks.lastFailure', lastFailure && <LastFailure failure={lastFailure} key="failure" path={path} />],
          [
            'webhooks.waiting',
            waiting > 0 ? (
              <a href={`${path}/deliveries?endpoint=${endpoint.id}&status=pending`} key="waiting">
                {waitingOf(health)}
              </a>
            ) : null,
          ],
          [
            'webhooks.oldest',
            oldest && (
              <a href={`${path}/deliveries/${oldest.deliveryId}`} key="oldest">
                <Moment at={oldest.createdAt} />
              </a>
            ),
          ],
        ]}
      />
      <p className="mt-2 text-note text-soft">{t('webhooks.healthText')}</p>
    </Section>
  )
}

export const TestEvent = ({ ping, action }: { ping: NonNullable<EndpointPage['ping']>; action: string }) => (
  <Section id="test-event" label="webhooks.testEvent">
    {ping.result && <PingNotice result={ping.result} />}
    <form action={action} className="mt-2 grid justify-items-start gap-2" method="post">
      <input name="key" type="hidden" value={ping.formKey} />
      <p className="text-soft">{t('webhooks.testEventText')}</p>
      <button className={secondaryButton} name="intent" type="submit" value="ping">
        {t('webhooks.sendTestEvent')}
      </button>
    </form>
  </Section>
)

const PingNotice = ({ result: { delivered, status, durationMs, error } }: { result: PingResult }) => (
  <p
    className={`mt-2 rounded-box border p-3 font-semibold ${delivered ? 'border-done bg-done-tint' : 'border-wrong bg-wrong-tint'}`}
    role={delivered ? 'status' : 'alert'}
  >
    {status === null
      ? t('webhooks.ping.none', { ms: durationMs, error: errorText(error ?? '') })
      : t(delivered ? 'webhooks.ping.accepted' : 'webhooks.ping.refused', { status, ms: durationMs })}
  </p>
)
