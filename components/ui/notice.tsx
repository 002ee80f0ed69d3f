import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A message, such as why the reader is back on this page. If `takesFocus` is set, the message takes the focus like an error summary. */
export function Notice({ id = 'notice', tone, title, level = 2, children, takesFocus }: NoticeProps) {
  const Heading = `h${level}` as const
  return (
    <section
      // biome-ignore lint/a11y/noAutofocus: the buyer has just returned from the payment and must learn why
      autoFocus={takesFocus}
      aria-labelledby={`${id}-title`}
      className={`flex gap-3 rounded-box border p-4 ${tone === 'wrong' ? 'border-wrong bg-wrong-tint' : 'border-line bg-tint'}`}
      id={id}
      tabIndex={-1}
    >
      <Icon className={`size-6 shrink-0 ${tone === 'wrong' ? 'text-wrong' : 'text-accent'}`} name="alert" />
      <div className="grid min-w-0 gap-1">
        <Heading className="font-semibold" id={`${id}-title`}>
          {title}
        </Heading>
        {children}
      </div>
    </section>
  )
}

interface NoticeProps {
  id?: string
  tone: 'wrong' | 'plain'
  title: string
  level?: 2 | 4
  children: ReactNode
  takesFocus: boolean
}
