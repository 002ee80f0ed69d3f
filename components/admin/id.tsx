import { Icon } from '@/components/ui/icon.tsx'
import { adminText as t } from './text.ts'

/** An id, or another generated text, with a button that copies it. In a table it breaks into at most a few lines. */
export const Id = ({ id }: { id: string }) => (
  <span className="inline-flex max-w-full items-center gap-1 align-top [td_&]:min-w-44 [th_&]:min-w-32">
    <code className="min-w-0 select-all break-all">{id}</code>
    <CopyButton text={id} />
  </span>
)

/** A link in the first column of a table. It covers the whole row. */
export const RowLink = ({ href, text }: { href: string; text: string }) => (
  <a className="row-link" href={href}>
    <bdi>{text}</bdi>
  </a>
)

/** Copies a text with one click (`copy-texts.tsx`). Hidden without JavaScript: the text beside it can be selected. */
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
