/** What a process does: `all` is `web` and `worker`; `tasks` runs tasks next to web processes that own the port. */
export type Role = 'all' | 'web' | 'worker' | 'tasks'
