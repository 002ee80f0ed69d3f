import type { Activity as Entry } from '@/lib/modules/accounts/page.ts'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Section } from './page-parts.tsx'
import { type AdminKey, adminText as t } from './text.ts'

/**
 * An event name without a dot is the name of a subscription event. The messages of the subscription timeline have a
 * sentence for each of these events.
 */
const sentenceOf = (event: Entry['event']): string => {
  const key = event.includes('.') ? `activity.events.${event.replace('.', '_')}` : `timeline.events.${event}`
  return t(key as AdminKey)
}

export const Activity = ({ activity, eventsUrl }: { activity: readonly Entry[]; eventsUrl: string | null }) => (
  <Section id="activity" label="activity.heading">
    {activity.length === 0 ? (
      <p className="mt-2 text-soft">{t('activity.empty')}</p>
    ) : (
      <ol className="mt-4 grid gap-2 border-line border-s ps-4 text-note">
        {activity.map((entry) => (
          <li className="grid gap-x-4 hand:grid-cols-[9rem_minmax(0,1fr)]" key={entry.id}>
            <span className="text-soft">
              <Moment at={entry.at} />
            </span>
            <span className="wrap-anywhere">
              <Sentence entry={entry} />
            </span>
          </li>
        ))}
      </ol>
    )}
    {eventsUrl && activity.length > 0 && (
      <p className="mt-2 text-note">
        <a href={eventsUrl}>{t('activity.all')}</a>
      </p>
    )}
  </Section>
)

function Sentence({ entry: { event, amount, title, customer, url } }: { entry: Entry }) {
  const sentence = sentenceOf(event)
  return (
    <>
      {url ? <a href={url}>{sentence}</a> : sentence}
      {amount && (
        <>
          {' · '}
          <Money amount={amount} />
        </>
      )}
      {[title, customer].map(
        (text) =>
          text && (
            <span key={text}>
              {' · '}
              <bdi>{text}</bdi>
            </span>
          ),
      )}
    </>
  )
}
