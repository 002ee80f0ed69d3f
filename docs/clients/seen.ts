/** What a program is given, and what it saw: for each client the same. */
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
  /** Of the newest plan, whether it is archived: listed without those, and with them. */
  readonly archived: { active: boolean[]; all: boolean[] }
  readonly canceled: [status: number, subscription: string]
  readonly wrong: [code: string, fields: string[]]
  readonly unknown: [code: string, listedAt: unknown]
}
