/** The main action of a page, as a button or a link. Its border is visible with forced colors. */
export const primaryButton =
  'flex min-h-12 w-full items-center justify-center rounded-box border border-transparent bg-accent px-4.75 py-2.25 text-center font-semibold text-lead text-on-accent transition-colors hover:bg-accent-deep disabled:cursor-progress disabled:opacity-70'

/** Looks like a link, for a secondary action. At least 44 px high for a thumb. */
export const quietButton =
  'inline-flex min-h-11 items-center justify-center rounded-box px-3 text-center text-soft underline decoration-1 underline-offset-4 transition-colors hover:text-ink'

/** An action beside the main action, or on a page without one. */
export const secondaryButton =
  'inline-flex min-h-12 items-center justify-center rounded-box border border-field bg-paper px-4 py-2 text-center font-medium transition-colors hover:border-ink'

/** A button that looks like a link within text. */
export const linkButton =
  'inline-flex min-h-8 items-center text-accent underline underline-offset-2 hover:text-accent-deep'
