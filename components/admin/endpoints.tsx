import { linkButton, primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, FieldError } from '@/components/ui/field.tsx'
import type { EndpointForm, EndpointPage, EndpointsPage, NewEndpointForm } from '@/lib/modules/webhooks/page.ts'
import { Breakable } from './breakable.tsx'
import { DataTable, Export } from './data-table.tsx'
import { DeliveryTable } from './deliveries.tsx'
import { Health, HealthBadge, LastFailure, successOf, TestEvent } from './endpoint-health.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'
import { WebhookTabs } from './webhook-tabs.tsx'

const formLabels = () => ({
  url: t('endpoints.url'),
  secret: t('endpoints.secret'),
  enabledEvents: t('endpoints.events'),
})

export function Endpoints({ page, path, outcome }: { page: EndpointsPage; path: string; outcome: FormResult }) {
  const { endpoints, most, form } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'endpoints.done.created', deleted: 'endpoints.done.deleted' }} />
      {form && <FormProblems form="new" labels={formLabels()} problems={form.problems} />}
      <Heading note={t('endpoints.text', { most })}>{t('storefront.nav.endpoints')}</Heading>
      <WebhookTabs open="endpoints" path={path} />
      <DataTable
        columns={[
          {
            label: 'endpoints.url',
            cell: ({ id, url }) => <RowLink href={`${path}/endpoints/${id}`} text={url} />,
          },
          { label: 'status', onPhone: 'corner', cell: ({ health }) => <HealthBadge health={health} /> },
          { label: 'webhooks.day', cell: ({ health }) => successOf(health.day) },
          {
            label: 'webhooks.lastSuccess',
            cell: ({ health: { lastSucceededAt } }) => lastSucceededAt && <Moment at={lastSucceededAt} />,
          },
          {
            label: 'webhooks.lastFailure',
            cell: ({ health: { lastFailure } }) => lastFailure && <LastFailure failure={lastFailure} path={path} />,
          },
          {
            label: 'webhooks.oldest',
            cell: ({ health: { oldest } }) => oldest && <Moment at={oldest.createdAt} />,
          },
        ]}
        empty="endpoints.empty"
        keyOf={({ id }) => id}
        label={t('storefront.nav.endpoints')}
        rows={endpoints}
      />
      <div className="mt-4 flex justify-end">
        <Export {...page} />
      </div>
      {form && (
        <Section id="new" label="endpoints.new">
          <Form action={`${path}/endpoints/submit`} form={form} proposed={form} />
        </Section>
      )}
    </>
  )
}

const endpointTexts = {
  updated: 'endpoints.done.updated',
  resent: 'endpoints.done.resent',
  noneFailed: 'endpoints.done.noneFailed',
  secretEnded: 'endpoints.done.secretEnded',
  pingLater: 'webhooks.ping.later',
} as const

export function Endpoint({ page, path, outcome }: { page: EndpointPage; path: string; outcome: FormResult }) {
  const { endpoint, form, failed, previousSecret, ping, secret } = page
  const action = `${path}/endpoints/${endpoint.id}/submit`
  return (
    <>
      <FormResultNotice {...outcome} texts={endpointTexts} />
      <FormProblems
        form={form ? 'change' : 'failed'}
        labels={{ ...formLabels(), since: t('endpoints.since') }}
        problems={{ ...form?.problems, since: failed?.problem }}
      />
      <p>
        <a href={`${path}/endpoints`}>{t('storefront.nav.endpoints')}</a>
      </p>
      <Heading note={<Id id={endpoint.id} />}>
        <span className="break-all">{endpoint.url}</span>
      </Heading>
      {endpoint.enabledEvents.length === 0 && <p className="mt-2 text-wrong">{t('endpoints.noEvents')}</p>}
      <Health page={page} path={path} />
      {ping && <TestEvent action={action} ping={ping} />}
      <Section id="deliveries" label="storefront.nav.deliveries">
        <DeliveryTable deliveries={page.deliveries} known={{ isOfEndpoint: true }} path={path} />
        <p className="mt-4">
          <a href={`${path}/deliveries?endpoint=${endpoint.id}`}>{t('endpoints.allDeliveries')}</a>
        </p>
      </Section>
      {failed && <Failed action={action} failed={failed} />}
      {secret && <Secrets action={action} previousSecret={previousSecret} secret={secret} />}
      {form ? (
        <>
          <Section id="change" label="endpoints.change">
            <Form action={action} form={form} proposed={null} />
          </Section>
          <details className="mt-6">
            <summary className={linkButton}>{t('endpoints.delete')}</summary>
            <form action={action} className="mt-2 grid justify-items-start gap-2" method="post">
              <input name="key" type="hidden" value={form.formKey} />
              <p className="text-soft">{t('endpoints.deleteHint')}</p>
              <button className={secondaryButton} name="intent" type="submit" value="delete">
                {t('endpoints.deleteNow')}
              </button>
            </form>
          </details>
        </>
      ) : (
        <Facts facts={[['endpoints.events', endpoint.enabledEvents.join(', ')]]} />
      )}
    </>
  )
}

function Failed({ failed, action }: { failed: NonNullable<EndpointPage['failed']>; action: string }) {
  const { count, most, days, since, problem, formKey } = failed
  return (
    <Section id="failed" label="endpoints.failed">
      <p className="mt-2">
        {t(count > most ? 'endpoints.manyFailed' : 'endpoints.failedCount', { count, most, days })}
      </p>
      {count > 0 && (
        <form action={action} className="mt-4 grid max-w-xl justify-items-start gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <Field
            defaultValue={since}
            error={problem ?? undefined}
            hint={t('endpoints.sinceHint', { most, days })}
            label={t('endpoints.since')}
            name="since"
            required
            type="datetime-local"
          />
          <button className={secondaryButton} name="intent" type="submit" value="resend">
            {t('endpoints.resend')}
          </button>
        </form>
      )}
    </Section>
  )
}

interface SecretsProps {
  secret: NonNullable<EndpointPage['secret']>
  previousSecret: EndpointPage['previousSecret']
  action: string
}

const Secrets = ({ secret, previousSecret, action }: SecretsProps) => (
  <Section id="secrets" label="webhooks.secrets">
    <Facts
      facts={[
        ['webhooks.currentSecret', <Masked key="current" secret={secret} />],
        ['endpoints.previousSecret', previousSecret && <Masked key="previous" secret={previousSecret} />],
      ]}
    />
    {previousSecret && (
      <>
        <p className="mt-2">
          {t('endpoints.previousSecretText')} <Moment at={previousSecret.until} />
        </p>
        <form action={action} className="mt-4 grid justify-items-start gap-2" method="post">
          <input name="key" type="hidden" value={previousSecret.formKey} />
          <p className="text-soft">{t('endpoints.endSecretHint')}</p>
          <button className={secondaryButton} name="intent" type="submit" value="endSecret">
            {t('endpoints.endSecret')}
          </button>
        </form>
      </>
    )}
  </Section>
)

const Masked = ({ secret: { hint, isReadable } }: { secret: SecretsProps['secret'] }) =>
  isReadable ? <code>••••••••{hint}</code> : <span className="text-wrong">{t('webhooks.unreadableSecret')}</span>

interface FormProps {
  form: EndpointForm
  action: string
  proposed: Pick<NewEndpointForm, 'suggestedSecret' | 'sealedSecret'> | null
}

function Form({ form, action, proposed }: FormProps) {
  const { url, enabledEvents, eventNames, problems, formKey } = form
  const isNew = proposed !== null
  return (
    <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      <Field
        autoComplete="off"
        defaultValue={url}
        error={problems.url}
        hint={t('endpoints.urlHint')}
        inputMode="url"
        label={t('endpoints.url')}
        maxLength={2048}
        name="url"
        required
      />
      <Field
        autoComplete="off"
        defaultValue={proposed?.suggestedSecret ?? ''}
        error={problems.secret}
        hint={t(isNew ? 'endpoints.secretHint' : 'endpoints.newSecretHint')}
        label={t('endpoints.secret')}
        maxLength={500}
        name="secret"
        required={isNew}
      />
      {proposed && (
        <p className="-mt-2 text-note">
          {t('endpoints.proposed')} <Id id={proposed.suggestedSecret} />
          <input name="sealedSecret" type="hidden" value={proposed.sealedSecret} />
        </p>
      )}
      {/* The error summary links to this group of checkboxes. */}
      <fieldset aria-describedby={problems.enabledEvents ? 'events-error' : undefined} id="enabledEvents" tabIndex={-1}>
        <legend className="mb-1 font-medium text-note">{t('endpoints.events')}</legend>
        {problems.enabledEvents && <FieldError id="events-error">{problems.enabledEvents}</FieldError>}
        <ul className="grid gap-x-6 wide:grid-cols-2">
          {eventNames.map((name) => (
            <li key={name}>
              <label className="inline-flex min-h-8 items-center gap-2 wrap-anywhere text-note">
                <input
                  className="size-5 shrink-0"
                  defaultChecked={enabledEvents.includes(name)}
                  name={`event.${name}`}
                  type="checkbox"
                  value="yes"
                />
                <span>
                  <Breakable>{name}</Breakable>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <button className={primaryButton} name="intent" type="submit" value="update">
        {t(isNew ? 'endpoints.create' : 'endpoints.save')}
      </button>
    </form>
  )
}
