/** The test clock of a storefront. */
export interface ClockPage {
  readonly now: string
  /** What was typed last. */
  readonly by: string
  /** Why it cannot be advanced by that; null without one. */
  readonly problem: string | null
  readonly formKey: string
}
