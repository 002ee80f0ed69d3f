export interface ClockPage {
  readonly now: string
  readonly advancingTo: string | null
  readonly by: string
  readonly problem: string | null
  readonly formKey: string
}
