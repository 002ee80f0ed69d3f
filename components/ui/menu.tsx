import type { ReactNode } from 'react'

interface MenuProps {
  id: string
  button: ReactNode
  /** The accessible name of the button, for a button whose visible content does not name the menu. */
  label?: string
  className?: string
  /** CSS classes that position the menu. */
  place: string
  children: ReactNode
}

/** The browser opens and closes the menu, even without JavaScript. */
export const Menu = ({ id, button, label, className = '', place, children }: MenuProps) => (
  <>
    <button
      aria-label={label}
      className={`inline-flex min-h-9 min-w-9 items-center gap-1 rounded-box px-2 hover:bg-ground ${className}`}
      popoverTarget={id}
      type="button"
    >
      {button}
    </button>
    <div
      className={`fixed inset-auto max-h-[70dvh] overflow-y-auto rounded-box border border-line bg-paper p-2 text-ink shadow-sheet ${place}`}
      id={id}
      popover="auto"
    >
      {children}
    </div>
  </>
)

export const menuRow =
  'flex min-h-10 w-full items-center gap-2 rounded-box px-3 text-start text-note no-underline hover:bg-ground'
