/**
 * Whether PostgreSQL can search for each value of a form: it refuses NUL, which no browser sends from a field. Rules of fields refuse
 * other control characters, and name the field.
 */
export const isSearchable = (form: URLSearchParams | FormData): boolean =>
  [...form.values()].every((value) => typeof value !== 'string' || !value.includes('\0'))

/** The target of a form that is not searchable. */
export const notStorable = (page: string): { readonly redirectTo: string } => ({
  redirectTo: `${page}${page.includes('?') ? '&' : '?'}failed=validation_failed`,
})
