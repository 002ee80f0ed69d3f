'use client'
import { useEffect, useRef } from 'react'

export function PageTools({ copy, copied }: { copy: string; copied: string }) {
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('.code-box > .copy')) button.hidden = false
    const onClick = async ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLButtonElement>('.code-box > .copy') : null
      if (!button) return
      await navigator.clipboard.writeText(button.parentElement?.querySelector('pre')?.textContent ?? '')
      button.textContent = copied
      if (status.current) status.current.textContent = copied
      setTimeout(() => {
        button.textContent = copy
      }, 2000)
    }
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement) || !target.closest('.tabs')) return
      for (const each of document.querySelectorAll<HTMLInputElement>('.tabs > input'))
        if (each.value === target.value) each.checked = true
    }
    document.addEventListener('click', onClick)
    document.addEventListener('change', onChange)
    return () => {
      document.removeEventListener('click', onClick)
      document.removeEventListener('change', onChange)
    }
  }, [copy, copied])
  return <p aria-live="polite" className="sr-only" ref={status} />
}
