/** The test clock of a storefront. */
export interface ClockPage {
  readonly now: string
  /** The moment that it is being advanced to, in the background; null while it is not. */
  readonly advancingTo: string | null
  /** What was typed last. */
  readonly by: string
  /** Why it cannot be advanced by that; null without one. */
  readonly problem: string | null
  readonly formKey: string
}
