'use client'

import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { useLive } from '@/components/ui/live-form.tsx'
import type { QuoteText } from './quote-text.ts'

/**
 * The methods of the buyer's country and currency, in its order. A choice stays for as long as it is on offer, so that
 * nothing changes behind the buyer's back; then the first method takes its place.
 */
export function LiveMethods({
  rows,
  children,
}: {
  /** One row per method, with its radio button. */
  rows: Readonly<Record<string, ReactNode>>
  /** Rows below. */
  children: ReactNode
}) {
  const { methods, proposedMethod } = useLive<QuoteText>().text
  const list = useRef<HTMLUListElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list may have lost the row that was chosen
  useEffect(() => {
    const radios = [...(list.current?.querySelectorAll<HTMLInputElement>('input:enabled') ?? [])]
    const proposed = radios.find((radio) => radio.value === proposedMethod)
    if (proposed && !radios.some((radio) => radio.checked)) proposed.checked = true
  }, [methods, proposedMethod])

  return (
    <ul className="mt-2 overflow-hidden rounded-box border border-field" ref={list}>
      {methods.map((method) => (
        <Fragment key={method}>{rows[method]}</Fragment>
      ))}
      {children}
    </ul>
  )
}
