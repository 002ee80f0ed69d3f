import type { Bench } from './context.ts'
import type { Load } from './load.ts'

export interface Memory {
  /** The maximum resident memory in each minute, in MiB. */
  readonly byMinute: readonly number[]
  readonly requests: number
}

const lookEveryMs = 1_000

/** Runs the loads one after another, then `besides`, and repeats this sequence until the minutes are over. */
export async function measureMemory(
  { installation: { baseUrl }, loader, say }: Bench,
  loads: readonly Load[],
  besides: () => Promise<unknown>,
  minutes: number,
): Promise<Memory> {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 60_000
  const byMinute: number[] = []
  let requests = 0
  const work = async () => {
    while (passed() < minutes) {
      for (const load of loads) requests += (await loader.ask(load)).perSecond * load.seconds
      await besides()
      say(`After ${passed().toFixed(1)} minutes ${byMinute.at(-1)?.toFixed(0)} MiB`)
    }
  }
  const working = work()
  let isOver = false
  const end = working.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const minute = Math.floor(passed())
    byMinute[minute] = Math.max(byMinute[minute] ?? 0, await residentOf(baseUrl))
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, lookEveryMs))])
  }
  await end
  return { byMinute, requests }
}

async function residentOf(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  const bytes = Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1])
  if (!(bytes > 0)) throw new Error('/metrics does not contain the resident memory')
  return bytes / 2 ** 20
}

export const memoryTable = ({ byMinute, requests }: Memory): string =>
  [
    '| minute | maximum resident memory, MiB |',
    '|--:|--:|',
    ...byMinute.map((mebibytes, minute) => `| ${minute + 1} | ${mebibytes.toFixed(0)} |`),
    '',
    `${Math.round(requests).toLocaleString('en')} requests were answered; the target is under 350 MiB, flat.`,
  ].join('\n')
