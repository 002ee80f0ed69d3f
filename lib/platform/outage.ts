import { log } from './log.ts'
import { shortError } from './short-error.ts'

/** Logs a sentence at the first failure, and not again until a success. */
export class Outage {
  private isOn = false

  constructor(private readonly sentence: string) {}

  begins(error: unknown): void {
    if (!this.isOn) log.warn({ error: shortError(error) }, this.sentence)
    this.isOn = true
  }

  ends(): void {
    this.isOn = false
  }
}
