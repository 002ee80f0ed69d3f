export class TransactionTimeout extends Error {
  readonly code = '57014'
  constructor() {
    super('The transaction took too long.')
  }
}
