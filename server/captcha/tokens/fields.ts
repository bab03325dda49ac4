/** Numbers and ids as the bytes of sealed fields, of fixed size each. */
export const uint = (value: number, bytes: 1 | 2 | 4 | 6): Buffer => {
  const out = Buffer.allocUnsafe(bytes)
  out.writeUIntBE(value, 0, bytes)
  return out
}

export const readUint = (field: Buffer | undefined): number => {
  if (!field || field.length === 0 || field.length > 6) throw new RangeError('not a sealed number')
  return field.readUIntBE(0, field.length)
}

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
