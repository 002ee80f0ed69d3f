/**
 * What a process does: answer the API and the pages (`web`), run tasks (`worker`), both (`all`), or run tasks beside web
 * processes that have the port (`tasks`).
 */
export type Role = 'all' | 'web' | 'worker' | 'tasks'
