/** A number as a sealed field of fixed size, big-endian. */
export type Uint = { readonly value: number; readonly length: 1 | 2 | 4 | 6 }

export const uint = (value: number, length: Uint['length']): Uint => ({ value, length })

export const readUint = (field: Buffer | undefined): number => {
  if (!field || field.length === 0 || field.length > 6) throw new RangeError('not a sealed number')
  return field.readUIntBE(0, field.length)
}

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
