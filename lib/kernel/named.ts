/** An object that a page shows by its name. `name` is null for an object without a name, such as an unpaid order. */
export interface Named {
  readonly id: string
  readonly name: string | null
}
