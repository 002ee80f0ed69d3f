import type { ReactNode } from 'react'

/** Why a form of the log-in came back. Takes the focus, as an error summary does. */
export const Refused = ({ children }: { children: ReactNode }) => (
  <p
    // biome-ignore lint/a11y/noAutofocus: the reader has just sent the form and has to learn that it came back
    autoFocus
    className="text-wrong"
    role="alert"
    tabIndex={-1}
  >
    {children}
  </p>
)
