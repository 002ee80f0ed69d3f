import { Icon } from '@/components/ui/icon.tsx'
import type { Named } from '@/lib/kernel/named.ts'
import { Breakable } from './breakable.tsx'
import { adminText as t } from './text.ts'

export const Id = ({ id }: { id: string }) => (
  <span className="inline-flex max-w-full items-center gap-1 align-top [td_&]:min-w-44 [th_&]:min-w-32">
    <code className="min-w-0 select-all break-all">{id}</code>
    <CopyButton text={id} />
  </span>
)

/** A link to an object by its name, with the id below. If the object has no name, the text of the link is `kind`. */
export const NamedLink = ({ href, kind, of: { id, name } }: { href: string; kind: string; of: Named }) => (
  <>
    <a className="text-accent underline underline-offset-2 wrap-anywhere" href={href}>
      <bdi>{name ?? kind}</bdi>
    </a>
    <span className="block text-soft">
      <Id id={id} />
    </span>
  </>
)

/** A link in the first column of a table. It covers the whole row. */
export const RowLink = ({ href, text }: { href: string; text: string }) => (
  <a className="row-link" href={href}>
    <bdi>{text}</bdi>
  </a>
)

/** Like `RowLink`, for a long name without spaces. The name wraps, so that the whole name is visible. */
export const RowCodeLink = ({ href, text }: { href: string; text: string }) => (
  <a className="row-link whitespace-normal!" href={href}>
    <bdi>
      <Breakable>{text}</Breakable>
    </bdi>
  </a>
)

/** A button that copies a text (`copy-texts.tsx` handles the click). Without JavaScript, the button is hidden, and the reader selects the text. */
const CopyButton = ({ text }: { text: string }) => (
  <button
    aria-label={t('copy.action', { text })}
    className="-my-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-box text-soft hover:text-ink [@media(scripting:none)]:hidden"
    data-copy={text}
    title={t('copy.title')}
    type="button"
  >
    <Icon className="size-4" name="copy" />
  </button>
)
