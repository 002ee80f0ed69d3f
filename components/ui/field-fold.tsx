'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

/**
 * Fields under a heading that opens them. They are clipped, not removed, so that form fillers (a browser, a password
 * manager, a merchant's own test) reach them. A person opens them deliberately: the Tab key skips them while they are
 * folded. Filling in a field, or focusing it by a program, unfolds them; so does the server where a field has a value
 * or a problem. Without a script the browser folds them: it skips and opens them in its own way.
 */
export function FieldFold({ heading, isOpen, isNeeded = false, children }: FieldFoldProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  const [isOpenAtFirst] = useState(isOpen || isNeeded)
  const unfold = () => fold.current?.setAttribute('open', '')

  useEffect(() => {
    const details = fold.current
    if (!details) return
    // Filled in or focused before this script ran, or by a browser that restores a page.
    const isInUse = fieldsIn(details).some((field) => field.value !== '' || field === document.activeElement)
    if (isInUse) details.open = true
    passByWhileFolded(details)
  }, [])

  useEffect(() => {
    if (isNeeded && fold.current) fold.current.open = true
  }, [isNeeded])

  return (
    <details
      className="field-fold"
      onToggle={(event) => passByWhileFolded(event.currentTarget)}
      open={isOpenAtFirst}
      ref={fold}
    >
      <summary className="inline-flex min-h-10 items-center gap-1 wide:min-h-8 rounded-box font-medium text-accent">
        {heading}
        <Icon className="chevron size-5" name="chevron" />
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it receives the events of its fields */}
      <div className="grid gap-3 pt-1 pb-3" onFocus={unfold} onInput={unfold}>
        {children}
      </div>
    </details>
  )
}

interface FieldFoldProps {
  heading: string
  isOpen: boolean
  /** Other input asks for the fields. When that ends, what a person sees stays as it is. */
  isNeeded?: boolean
  children: ReactNode
}

const fieldsIn = (details: HTMLDetailsElement) => [...details.querySelectorAll('input')]

function passByWhileFolded(details: HTMLDetailsElement) {
  for (const field of fieldsIn(details)) field.tabIndex = details.open ? 0 : -1
}
