'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { followForm } from './behavior/follow-form.ts'
import type { LiveSettings } from './behavior/quotes.ts'
import { FormLanguage } from './form-language.tsx'

interface LiveFormProps extends LiveSettings {
  action: string
  className: string
  children: ReactNode
}

/**
 * A form that works without JavaScript; with JavaScript, a script writes new text into the elements that `live.tsx`
 * marks. React does not overwrite this text, because React does not render the page again.
 */
export function LiveForm({ action, className, children, ...settings }: LiveFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const atStart = useRef(settings)
  useEffect(() => (form.current ? followForm(form.current, atStart.current) : undefined), [])
  return (
    <>
      <form action={action} className={className} method="post" noValidate ref={form}>
        <FormLanguage locale={settings.locale} />
        {children}
      </form>
      <p className="sr-only" data-announced="" role="status" />
    </>
  )
}
