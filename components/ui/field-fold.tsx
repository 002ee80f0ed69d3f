import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/**
 * Fields under a heading that opens them. They are clipped, not removed, so that form fillers (a browser, a password
 * manager, a merchant's own test) reach them. A person opens them deliberately: the Tab key skips them while they are
 * folded (`hosted-script/field-folds.ts`). Filling in a field, or focusing it by a program, unfolds them; so does the server where a field
 * has a value or a problem. Without a script the browser folds them: it skips and opens them in its own way.
 */
export function FieldFold({ heading, isOpen, opensWith, children }: FieldFoldProps) {
  return (
    <details className="field-fold" data-opened={opensWith} open={isOpen}>
      <summary className="inline-flex min-h-10 items-center gap-1 wide:min-h-8 rounded-box font-medium text-accent">
        {heading}
        <Icon className="chevron size-5" name="chevron" />
      </summary>
      <div className="grid gap-3 pt-1 pb-3">{children}</div>
    </details>
  )
}

interface FieldFoldProps {
  heading: string
  isOpen: boolean
  /** The parts of the live text that ask for the fields, with spaces between. When that ends, what a person sees stays as it is. */
  opensWith?: string
  children: ReactNode
}
