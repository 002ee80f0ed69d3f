/** The input of each example program. Each program uses a different generated client with the same input. */
export interface Setting {
  readonly baseUrl: string
  readonly key: string
  readonly planId: string
  readonly subscriptionId: string
}

type Metadata = Readonly<Record<string, string | number | boolean>> | null

export interface Seen {
  readonly customer: { createdAt: string; tier: string | number | boolean | null; metadata: Metadata }
  readonly checkout: Metadata
  /**
   * Whether the first plan of each list is archived. `active` is the list without archived plans, and `all` is the list
   * that includes archived plans.
   */
  readonly archived: { active: boolean[]; all: boolean[] }
  readonly canceled: [status: number, subscription: string]
  readonly wrong: [code: string, fields: string[]]
  readonly unknown: [code: string, listedAt: unknown]
}
