export interface Visitor {
  readonly acceptLanguage: string | null
  header(name: string): string | null
}

export const visitorOf = (headers: Pick<Headers, 'get'>): Visitor => ({
  acceptLanguage: headers.get('accept-language'),
  header: (name) => headers.get(name),
})
