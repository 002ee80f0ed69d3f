'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { foldFields } from './behavior/fold-fields.ts'
import { Icon } from './icon.tsx'

/**
 * Fields under a heading that opens them. They are clipped, not removed, so that form fillers (a browser, a password
 * manager, a merchant's own test) reach them. The Tab key skips folded fields, so a person must open the fold. Filling
 * in a field, or focusing it by a program, opens the fold, and so does the server for a field with a value or a
 * problem. Without JavaScript the browser folds the fields natively.
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
   * The parts of the live text that require the fields, separated by spaces. The fold stays open when they no longer
   * do.
   */
  opensWith?: string
  children: ReactNode
}
