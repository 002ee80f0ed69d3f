import type { ReactNode } from 'react'

/** The reason why a log-in form was refused. Takes the focus, like an error summary. */
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
