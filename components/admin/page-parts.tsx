import type { ReactNode } from 'react'
import { actionButton } from '@/components/ui/button.ts'
import type { StatusFilter } from '@/lib/kernel/list.ts'
import type { Named } from '@/lib/kernel/named.ts'
import { isRefusalCode } from '@/lib/kernel/refusal.ts'
import { refusalText } from './refusal-text.ts'
import { type AdminKey, adminText as t } from './text.ts'

interface HeadingProps {
  children: ReactNode
  note?: ReactNode
  /** The state of the object, shown next to its name. */
  badge?: ReactNode
  /** The link of the page's main action, such as the form for a new plan. */
  action?: { readonly url: string; readonly text: string } | false | null
}

export const Heading = ({ children, note, badge, action }: HeadingProps) => (
  <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="font-semibold text-title tracking-tight">{children}</h1>
        {badge}
      </div>
      {note && <p className="text-soft">{note}</p>}
    </div>
    {action && (
      <a className={actionButton} href={action.url}>
        {action.text}
      </a>
    )}
  </div>
)

/** A link to the customer, for a list that shows the rows of this customer only. */
export const ofCustomer = (customer: Named | null, path: string): ReactNode =>
  customer && (
    <a href={`${path}/customers/${encodeURIComponent(customer.id)}`}>
      <bdi>{t('filter.ofCustomer', { name: customer.name ?? customer.id })}</bdi>
    </a>
  )

interface SectionProps {
  id: string
  label: AdminKey
  /**
   * Set if the section shows the result of a form above it, such as a preview. The section then takes the focus, so
   * that the browser scrolls to it.
   */
  isAskedFor?: true
  children: ReactNode
}

export function Section({ id, label, isAskedFor, children }: SectionProps) {
  return (
    <section
      aria-labelledby={id}
      // biome-ignore lint/a11y/noAutofocus: the reader has just requested this section with a form, and the section is off screen
      autoFocus={isAskedFor}
      className="mt-8"
      tabIndex={isAskedFor && -1}
    >
      <h2 className="font-semibold text-lead" id={id}>
        {t(label)}
      </h2>
      {children}
    </section>
  )
}

/**
 * The page of an object. On a desktop, a side column next to the main column shows facts. On a narrower screen, the page
 * has one column, which begins with the facts.
 */
export const Detail = ({ side, children }: { side: ReactNode; children: ReactNode }) => (
  <div className="mt-4 grid gap-x-8 min-[70rem]:grid-cols-[minmax(0,1fr)_20rem]">
    <div className="grid min-w-0 content-start gap-4 min-[70rem]:order-last">{side}</div>
    <div className="min-w-0 min-[70rem]:[&>:first-child]:mt-0">{children}</div>
  </div>
)

/** A card of facts in the side column of a `Detail`. */
export const Card = ({ id, label, children }: Omit<SectionProps, 'isAskedFor'>) => (
  <section aria-labelledby={id} className="rounded-box border border-line bg-paper p-4 [&>dl]:mt-2">
    <h2 className="font-semibold" id={id}>
      {t(label)}
    </h2>
    {children}
  </section>
)

type Facts = readonly (readonly [AdminKey, ReactNode])[]

const withValue = (facts: Facts): Facts =>
  facts.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)

export const Facts = ({ facts }: { facts: Facts }) => (
  <dl className="mt-4 grid max-w-3xl grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-6 gap-y-2 text-note">
    {withValue(facts).map(([name, value]) => (
      <div className="contents" key={name}>
        <dt className="hyphens-auto text-soft">{t(name)}</dt>
        <dd className="min-w-0 wrap-anywhere [&_a]:inline-block [&_a]:min-h-6 [&_bdi]:max-w-full">{value}</dd>
      </div>
    ))}
  </dl>
)

/** A card as wide as the page, with each label above its value. Entries without a value are left out. */
export const Summary = ({ facts }: { facts: Facts }) => (
  <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-3 rounded-box border border-line bg-paper p-4 text-note">
    {withValue(facts).map(([name, value]) => (
      <div className="min-w-0" key={name}>
        <dt className="text-soft">{t(name)}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)

export interface FormResult {
  readonly done: string | null
  /** The code of the refusal (`lib/kernel/refusal.ts`). */
  readonly failed: string | null
}

/** Shows only our own texts for known codes, and never text from the URL. */
export function FormResultNotice<Done extends string>({
  done,
  failed,
  texts,
}: FormResult & { texts: Readonly<Record<Done, AdminKey>> }) {
  const text = done !== null && Object.hasOwn(texts, done) ? texts[done as Done] : null
  if (text)
    return (
      <p className="mb-4 rounded-box border border-line bg-tint p-3 font-semibold" role="status">
        {t(text)}
      </p>
    )
  if (failed === null || !isRefusalCode(failed)) return null
  return (
    <p
      // biome-ignore lint/a11y/noAutofocus: the reader has just sent the form and must learn why it was refused
      autoFocus
      className="mb-4 rounded-box border border-wrong bg-wrong-tint p-3"
      role="alert"
      tabIndex={-1}
    >
      {t('notDone', { reason: refusalText(failed) })}
    </p>
  )
}

export const FilterTabs = <Status extends string>({
  filter: { status, statuses },
  url,
  textOf,
}: {
  filter: StatusFilter<Status>
  url: string
  textOf: (status: Status) => string
}) => (
  <Tabs
    label={t('filter.label')}
    tabs={[null, ...statuses].map((each) => ({
      url: each === null ? url : `${url}${url.includes('?') ? '&' : '?'}status=${each}`,
      text: each === null ? t('filter.all') : textOf(each),
      isOpen: each === status,
    }))}
  />
)

export const Tabs = ({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { url: string; text: string; isOpen: boolean }[]
}) => (
  <nav aria-label={label} className="mt-3 flex flex-wrap gap-2 text-note">
    {tabs.map(({ url, text, isOpen }) => (
      <a
        aria-current={isOpen ? 'page' : undefined}
        className="inline-flex min-h-8 items-center rounded-full border border-line bg-paper px-3 no-underline hover:border-field aria-[current]:border-accent aria-[current]:bg-tint aria-[current]:font-medium aria-[current]:text-accent"
        href={url}
        key={url}
      >
        {text}
      </a>
    ))}
  </nav>
)
