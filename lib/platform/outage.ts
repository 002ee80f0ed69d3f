import { log } from './log.ts'
import { shortError } from './short-error.ts'

/** Logs the first failure, with `sentence` as the message. Logs no further failures until `ends` is called. */
export class Outage {
  private isOn = false

  constructor(
    private readonly sentence: string,
    private readonly level: 'warn' | 'error' = 'warn',
  ) {}

  begins(error: unknown): void {
    if (!this.isOn) log[this.level]({ error: shortError(error) }, this.sentence)
    this.isOn = true
  }

  ends(): void {
    this.isOn = false
  }
}
