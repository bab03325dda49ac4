/** The kind of an account error, for programs. */
export type AccountFault =
  /** the input is malformed */
  | 'invalid'
  /** it does not exist or belongs to someone else; both get the same answer */
  | 'not-found'
  /** it already exists, or its state does not allow the change */
  | 'conflict'
  /** the role lacks the permission */
  | 'forbidden'
  /** a limit was reached */
  | 'too-many'
  /** not possible in this deployment, or not now */
  | 'unavailable'

/** A function of `accounts` refuses. The message is for the person who made the request. */
export class AccountError extends Error {
  readonly fault: AccountFault

  constructor(fault: AccountFault, message: string) {
    super(message)
    this.fault = fault
  }
}
