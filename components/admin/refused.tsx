import type { ReactNode } from 'react'

/** The reason for a refused form. The message takes the focus when the page loads, like an error summary. */
export const Refused = ({ children }: { children: ReactNode }) => (
  <p
    // biome-ignore lint/a11y/noAutofocus: the reader has just sent the form and must learn why it was refused
    autoFocus
    className="rounded-box border border-wrong bg-wrong-tint p-3 text-wrong"
    role="alert"
    tabIndex={-1}
  >
    {children}
  </p>
)
