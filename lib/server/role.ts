/**
 * The work of a process: answer the API and the pages (`web`), run tasks (`worker`), both (`all`), or run tasks next to
 * web processes that own the port (`tasks`).
 */
export type Role = 'all' | 'web' | 'worker' | 'tasks'
