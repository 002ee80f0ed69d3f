'use client'

import { Fragment, type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useLive } from '@/components/ui/live-form.tsx'
import type { QuoteText } from './quote-text.ts'

/**
 * The methods of the buyer's country and currency, in its order. The first is proposed until the buyer picks one; a pick
 * stays for as long as it is on offer.
 */
export function LiveMethods({
  rows,
  isPicked,
  children,
}: {
  /** One row per method, with its radio button. */
  rows: Readonly<Record<string, ReactNode>>
  /** The buyer picked one before, in this form. */
  isPicked: boolean
  /** Rows below. */
  children: ReactNode
}) {
  const { methods } = useLive<QuoteText>().text
  const list = useRef<HTMLUListElement>(null)
  const picked = useRef(isPicked)

  const radios = useCallback(() => [...(list.current?.querySelectorAll<HTMLInputElement>('input:enabled') ?? [])], [])

  useEffect(() => {
    // Picked before this script ran, or restored by the browser.
    if (radios().some((radio) => radio.checked && !radio.defaultChecked)) picked.current = true
  }, [radios])

  useEffect(() => {
    const offered = radios()
    const proposed = offered.find((radio) => radio.value === methods[0])
    if (proposed && !(picked.current && offered.some((radio) => radio.checked))) proposed.checked = true
  }, [methods, radios])

  return (
    <ul
      className="mt-2 overflow-hidden rounded-box border border-field"
      onChange={() => {
        picked.current = true
      }}
      ref={list}
    >
      {methods.map((method) => (
        <Fragment key={method}>{rows[method]}</Fragment>
      ))}
      {children}
    </ul>
  )
}
