import type pg from 'pg'
import type { Statement } from './fragment.ts'

type Outcome = Pick<pg.QueryResult, 'rows' | 'rowCount'>

interface Asked {
  readonly statement: Statement
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** PostgreSQL works through those of one connection one after the other. */
const mostTogether = 8

/**
 * Look-ups of one row each, outside of transactions. Those that are asked for in one turn of the event loop share a
 * connection and a write: under load a write costs more than a look-up. A look-up waits for no lock, so that none makes the
 * others of its connection wait.
 */
export class LookUps {
  private asked: Asked[] = []

  constructor(
    private readonly connect: () => Promise<pg.PoolClient>,
    private readonly runOn: (client: pg.PoolClient, statement: Statement) => Promise<Outcome>,
  ) {}

  run(statement: Statement): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.asked.length === 0) setImmediate(() => this.send())
      this.asked.push({ statement, resolve, reject })
    })
  }

  private send(): void {
    const all = this.asked
    this.asked = []
    for (let from = 0; from < all.length; from += mostTogether)
      void this.sendTogether(all.slice(from, from + mostTogether))
  }

  /** Never rejects: who asked gets the error. */
  private async sendTogether(some: readonly Asked[]): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.connect()
    } catch (error) {
      for (const { reject } of some) reject(error)
      return
    }
    const outcomes = some.map(({ statement }) => this.runOn(client, statement))
    const failed = await Promise.all(
      outcomes.map((outcome, index) =>
        outcome.then(
          (found) => some[index]?.resolve(found),
          (error) => {
            some[index]?.reject(error)
            return true
          },
        ),
      ),
    )
    // As the pool does with its own queries: after an error the connection is replaced.
    client.release(failed.includes(true))
  }
}
