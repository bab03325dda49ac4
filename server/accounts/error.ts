/** Why a verb of the accounts refuses, for machines. */
export type AccountFault =
  /** what was given is not well formed */
  | 'invalid'
  /** there is none, or it is somebody else's: the same answer */
  | 'not-found'
  /** it is there already, or its state does not allow it */
  | 'conflict'
  /** the role does not reach */
  | 'forbidden'
  /** it was asked for too often */
  | 'too-many'
  /** it cannot work in this deployment, or not now */
  | 'unavailable'

/** A verb of the accounts refuses; the message is for the person who asked. */
export class AccountError extends Error {
  readonly fault: AccountFault

  constructor(fault: AccountFault, message: string) {
    super(message)
    this.fault = fault
  }
}
