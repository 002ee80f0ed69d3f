'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'

/**
 * Fields under a heading that opens them. They are clipped, not removed, so that form fillers (a browser, a password
 * manager, a merchant's own test) reach them. A person opens them deliberately: the Tab key skips them while they are
 * folded. Filling in a field, or focusing it by a program, unfolds them; so does the server where a field has a value
 * or a problem. Without a script they always show.
 */
export function FieldFold({ heading, isOpen, children }: { heading: string; isOpen: boolean; children: ReactNode }) {
  const fold = useRef<HTMLDetailsElement>(null)
  const unfold = () => fold.current?.setAttribute('open', '')

  useEffect(() => {
    const details = fold.current
    if (!details) return
    // Filled in or focused before this script ran, or by a browser that restores a page.
    const isInUse = fieldsIn(details).some((field) => field.value !== '' || field === document.activeElement)
    if (isInUse) details.open = true
    passByWhileFolded(details)
  }, [])

  return (
    <details
      className="field-fold"
      onToggle={(event) => passByWhileFolded(event.currentTarget)}
      open={isOpen}
      ref={fold}
    >
      <summary className="inline-flex min-h-11 items-center gap-1 rounded-box font-medium text-accent">
        {heading}
        <Icon className="chevron size-5" name="chevron" />
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it receives the events of its fields */}
      <div className="grid gap-4 pt-2 pb-1" onFocus={unfold} onInput={unfold}>
        {children}
      </div>
    </details>
  )
}

const fieldsIn = (details: HTMLDetailsElement) => [...details.querySelectorAll('input')]

function passByWhileFolded(details: HTMLDetailsElement) {
  for (const field of fieldsIn(details)) field.tabIndex = details.open ? 0 : -1
}
