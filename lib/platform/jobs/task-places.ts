import type { Queue } from './tasks.ts'

export const concurrency: Readonly<Record<Queue, number>> = { work: 256, webhooks: 128, email: 16 }

export class TaskPlaces {
  private free: number
  private readonly waiting: { readonly count: number; readonly begin: () => void }[] = []

  constructor(private readonly most: number) {
    this.free = most
  }

  /** Waits for `needed` slots, or for all slots if there are fewer. Returns the function that frees the slots. */
  async take(needed: number): Promise<() => void> {
    const count = Math.min(needed, this.most)
    await new Promise<void>((begin) => {
      this.waiting.push({ count, begin })
      this.beginNext()
    })
    return () => {
      this.free += count
      this.beginNext()
    }
  }

  private beginNext(): void {
    for (let [next] = this.waiting; next && next.count <= this.free; [next] = this.waiting) {
      this.waiting.shift()
      this.free -= next.count
      next.begin()
    }
  }
}
