/** One field of a protobuf message: a varint as a bigint, everything with a length as bytes. */
export type WireField = { readonly number: number; readonly value: bigint | Uint8Array };

/** The bytes are not a protobuf message. */
export class WireError extends Error {}

/** The fields of a message in the order in which they were written. */
export function wireFields(bytes: Uint8Array): WireField[] {
  const reader = new WireReader(bytes);
  const fields: WireField[] = [];
  while (!reader.isAtEnd) fields.push(reader.field());
  return fields;
}

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireField {
    const tag = this.#varint();
    const number = Number(tag >> 3n);
    switch (tag & 7n) {
      case 0n:
        return { number, value: this.#varint() };
      case 1n:
        return { number, value: this.#take(8) };
      case 2n:
        return { number, value: this.#take(Number(this.#varint())) };
      case 5n:
        return { number, value: this.#take(4) };
      default:
        throw new WireError(`field ${number} has wire type ${tag & 7n}, which no message of the API uses`);
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('the message ends inside a number');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError('the message ends inside a field');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
