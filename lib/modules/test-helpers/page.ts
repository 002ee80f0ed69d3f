export interface ClockPage {
  readonly now: string
  /** Null while no advance runs. */
  readonly advancingTo: string | null
  readonly by: string
  readonly problem: string | null
  readonly formKey: string
}
