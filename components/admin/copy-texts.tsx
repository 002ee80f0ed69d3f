'use client'

import { useEffect, useState } from 'react'

export function CopyTexts({ copied, failed }: { copied: string; failed: string }) {
  const [said, say] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const copy = async (event: MouseEvent) => {
      const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
      const text = button?.getAttribute('data-copy')
      if (!text) return
      const isDone = await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      )
      say(`${isDone ? copied : failed} ${text}`)
      clearTimeout(timer)
      timer = setTimeout(() => say(''), readMs)
    }
    document.addEventListener('click', copy)
    return () => {
      document.removeEventListener('click', copy)
      clearTimeout(timer)
    }
  }, [copied, failed])
  return (
    <p
      aria-live="polite"
      // A live region must exist before its text. Screen readers do not announce a region that appears together with
      // its text.
      className="fixed inset-x-5 bottom-5 z-20 mx-auto w-fit max-w-full rounded-box border border-transparent bg-ink px-4 py-2 text-note text-paper wrap-anywhere empty:pointer-events-none empty:opacity-0"
    >
      {said}
    </p>
  )
}

const readMs = 4_000
