import type { Traces } from '../platform/config-telemetry.ts'

/** Whether what has this trace id, and a parent that is recorded or not, or none, is recorded. */
export type Sampler = (traceId: string, isParentRecorded: boolean | null) => boolean

/** By the names of OpenTelemetry's samplers: `parentbased_` ones follow the parent, and decide where there is none. */
export function samplerOf({ sampler, ratio }: Pick<Traces, 'sampler' | 'ratio'>): Sampler {
  const name = sampler.replace(/^parentbased_/, '')
  // By the last of its random digits: all spans of a trace, in all processes, are decided alike.
  const isChosen = (traceId: string) =>
    name === 'traceidratio' ? Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32 : name === 'always_on'
  return sampler === name ? isChosen : (traceId, isParentRecorded) => isParentRecorded ?? isChosen(traceId)
}
