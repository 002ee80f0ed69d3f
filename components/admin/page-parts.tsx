import type { ReactNode } from 'react'
import type { StatusFilter } from '@/lib/kernel/list.ts'
import { isRefusalCode, refusals } from '@/lib/kernel/refusal.ts'
import { type AdminKey, adminText as t } from './text.ts'

/** The heading of a page, with a note. */
export const Heading = ({ children, note }: { children: ReactNode; note?: ReactNode }) => (
  <>
    <h1 className="font-semibold text-title tracking-tight">{children}</h1>
    {note && <p className="text-soft">{note}</p>}
  </>
)

/** The note of a list that is narrowed to a customer. */
export const ofCustomer = (customerId: string | null, path: string): ReactNode =>
  customerId && (
    <a href={`${path}/customers/${encodeURIComponent(customerId)}`}>{t('filter.ofCustomer', { id: customerId })}</a>
  )

interface SectionProps {
  id: string
  label: AdminKey
  /** The section was requested by a form above it and is off screen, so it takes the focus. */
  isAskedFor?: true
  children: ReactNode
}

/** A section of a page with its own heading. */
export function Section({ id, label, isAskedFor, children }: SectionProps) {
  return (
    <section
      aria-labelledby={id}
      // biome-ignore lint/a11y/noAutofocus: the reader has just asked for it by a form, and it is out of sight below that
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

/** Labels and values. Entries without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [AdminKey, ReactNode])[] }) {
  return (
    <dl className="mt-4 grid max-w-3xl grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-6 gap-y-2 text-note">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div className="contents" key={name}>
            <dt className="text-soft">{t(name)}</dt>
            <dd className="min-w-0 wrap-anywhere [&_a]:inline-block [&_a]:min-h-6 [&_bdi]:max-w-full">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export interface FormResult {
  /** The message key of the completed action. */
  readonly done: string | null
  /** The code of the refusal (`lib/kernel/refusal.ts`). */
  readonly failed: string | null
}

/** The result of the form that led here. Only our own texts are shown, and no text from the address. */
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
      // biome-ignore lint/a11y/noAutofocus: the reader has just sent the form and has to learn that it came back
      autoFocus
      className="mb-4 rounded-box border border-wrong bg-wrong-tint p-3"
      role="alert"
      tabIndex={-1}
    >
      {t('notDone', { reason: refusals[failed].message })}
    </p>
  )
}

/** Filters a list by status, with links. */
export const FilterTabs = <Status extends string>({
  filter: { status, statuses },
  url,
  textOf,
}: {
  filter: StatusFilter<Status>
  /** The URL of the list, with or without a query. */
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

/** Links to the views of a page. */
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
