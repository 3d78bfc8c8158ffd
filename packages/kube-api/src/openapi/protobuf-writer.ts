/** Builds one protocol buffers message: fields in the order in which they are added. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = [];

  text(field: number, value: string | undefined): this {
    return value === undefined || value === '' ? this : this.bytes(field, Buffer.from(value, 'utf8'));
  }

  texts(field: number, values: readonly string[] = []): this {
    for (const value of values) this.bytes(field, Buffer.from(value, 'utf8'));
    return this;
  }

  /** An embedded message; nothing when there is none. */
  message(field: number, value: MessageWriter | undefined): this {
    return value === undefined ? this : this.bytes(field, value.finish());
  }

  messages(field: number, values: readonly MessageWriter[]): this {
    for (const value of values) this.message(field, value);
    return this;
  }

  flag(field: number, value: boolean | undefined): this {
    if (value === true) this.#parts.push(varint(field * 8), varint(1));
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(field * 8 + lengthDelimited), varint(value.byteLength), value);
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

const lengthDelimited = 2;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}
