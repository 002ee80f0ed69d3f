/**
 * Whether no value of the form contains NUL, which PostgreSQL cannot store. The rules of each field check other control
 * characters.
 */
export const isSearchable = (form: URLSearchParams | FormData): boolean =>
  [...form.values()].every((value) => typeof value !== 'string' || !value.includes('\0'))

export const notStorable = (page: string): { readonly redirectTo: string } => ({
  redirectTo: `${page}${page.includes('?') ? '&' : '?'}failed=validation_failed`,
})
