export const primaryButton =
  'flex min-h-12 w-full items-center justify-center rounded-box border border-transparent bg-accent px-4.75 py-2.25 text-center font-semibold text-lead text-on-accent transition-colors hover:bg-accent-deep disabled:cursor-progress disabled:opacity-70'

export const actionButton =
  'inline-flex min-h-10 items-center justify-center rounded-box border border-transparent bg-accent px-4 py-1.5 text-center font-medium text-on-accent no-underline transition-colors hover:bg-accent-deep'

/** A secondary action. The button is at least 44 px high, so that a thumb can press it. */
export const quietButton =
  'inline-flex min-h-11 items-center justify-center rounded-box px-3 text-center text-soft underline decoration-1 underline-offset-4 transition-colors hover:text-ink'

export const secondaryButton =
  'inline-flex min-h-12 items-center justify-center rounded-box border border-field bg-paper px-4 py-2 text-center font-medium transition-colors hover:border-ink'

export const linkButton =
  'inline-flex min-h-8 items-center text-start text-accent underline underline-offset-2 hover:text-accent-deep'
