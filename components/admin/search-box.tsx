'use client'

import { useEffect, useRef } from 'react'

/** The search of the admin area. The key "/" leads to it from anywhere but a field. */
export function SearchBox({ label, hint }: { label: string; hint: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const inField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <search className="min-w-0 grow">
      <form action="/admin/search" method="get">
        <input
          aria-keyshortcuts="/"
          aria-label={label}
          autoComplete="off"
          className="control max-w-md"
          maxLength={300}
          name="q"
          placeholder={hint}
          ref={input}
          type="search"
        />
      </form>
    </search>
  )
}
