/** Whether no text contains NUL, which PostgreSQL cannot store. Other control characters are checked by the rules of each field. */
export const isSearchable = (form: URLSearchParams | FormData): boolean =>
  [...form.values()].every((value) => typeof value !== 'string' || !value.includes('\0'))

export const notStorable = (page: string): { readonly redirectTo: string } => ({
  redirectTo: `${page}${page.includes('?') ? '&' : '?'}failed=validation_failed`,
})
