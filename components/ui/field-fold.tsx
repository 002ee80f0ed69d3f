'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { foldFields } from './behavior/fold-fields.ts'
import { Icon } from './icon.tsx'

/**
 * Collapsible fields. Collapsed fields are clipped and not removed, so that browsers, password managers, and tests can
 * fill them in. The Tab key skips them. The fold opens when a person opens it, or when a program fills in or focuses a
 * field. The server opens the fold of a field with a value or a problem.
 */
export function FieldFold({ heading, isOpen, opensWith, children }: FieldFoldProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => (fold.current ? foldFields(fold.current) : undefined), [])
  return (
    <details className="field-fold" data-opened={opensWith} open={isOpen} ref={fold}>
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
  /**
   * The names of fields of `LiveText`, separated by spaces. The fold opens if one of these fields is set, and stays
   * open when the field is no longer set.
   */
  opensWith?: string
  children: ReactNode
}
