import cluster from 'node:cluster'
import { afterEach, expect, it, vi } from 'vitest'
import { onWake } from '../platform/jobs/wake.ts'
import { joinSiblings } from './siblings.ts'

const alone = cluster.isWorker

afterEach(() => {
  onWake(undefined)
  Object.assign(cluster, { isWorker: alone })
  vi.restoreAllMocks()
})

it('the pages of a web process, whose modules are their own, show what the process that runs tasks says of its server', async () => {
  Object.assign(cluster, { isWorker: true })
  const on = vi.spyOn(process, 'on')
  joinSiblings('web')
  const receive = on.mock.calls.find(([event]) => String(event) === 'message')?.[1] as (message: object) => void
  process.off('message', receive)
  // As the bundle of the pages has it.
  vi.resetModules()
  const { taskServerState } = await import('../platform/jobs/task-server-state.ts')
  expect(taskServerState()).toBeNull()
  const now = performance.now()
  receive({ kind: 'task server', state: 'away for 70 s: begins no task' })
  expect(taskServerState(now)).toBe('away for 70 s: begins no task')
  expect(taskServerState(now + 60_000)).toBe('the process that runs tasks says nothing')
})
