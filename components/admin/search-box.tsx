'use client'

import { useEffect, useRef } from 'react'

/** The search field, with the shortcut Ctrl+K (Cmd+K on a Mac). The shortcut has a modifier key, so that speech input does not trigger it (WCAG 2.1.4). */
export function SearchBox({ label, hint }: { label: string; hint: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      // On a Mac the shortcut is not Ctrl+K, because Ctrl+K deletes to the end of the line in every text field.
      const isMac = /^(Mac|iP)/.test(navigator.platform)
      if (event.metaKey !== isMac || event.ctrlKey === isMac) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <search className="w-full max-w-md">
      <form action="/admin/search" method="get">
        <input
          aria-keyshortcuts="Control+K Meta+K"
          aria-label={label}
          autoComplete="off"
          className="control h-10 text-note"
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
