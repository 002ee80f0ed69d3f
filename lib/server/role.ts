/**
 * `all` serves requests and runs tasks. `tasks` only runs tasks, on a machine where web processes serve requests. A `tasks` process opens no port, because
 * the web processes use the port.
 */
export type Role = 'all' | 'web' | 'worker' | 'tasks'
