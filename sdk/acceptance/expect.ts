/** The merchant did something unexpected, described in the message. */
export class Failed extends Error {}

export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Failed(otherwise)
}
