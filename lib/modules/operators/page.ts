/** The second half of a log-in. */
export type SecondFactorPage =
  | { kind: 'code' }
  | {
      kind: 'set_up'
      /** A picture for an authenticator app, as SVG. */
      picture: string
      /** The same, to type, in base32. */
      secret: string
      /** Shown here and never again. */
      recoveryCodes: string[]
    }

/** Where an operator is logged in. Moments are ISO 8601 in UTC. */
export interface SessionsPage {
  sessions: {
    id: string
    address: string
    browser: string
    createdAt: string
    lastUsedAt: string
    /** The session that looks. */
    isThis: boolean
  }[]
}
