import type { Random } from '@nodewright/runtime';
import { addressNumber, addressText, sizeOf, type Cidr } from './cidr.ts';

/** AWS keeps the first four addresses of a subnet and the last one. */
const reservedFirst = 4;
const reserved = reservedFirst + 1;

/** The addresses of one subnet. */
export class AddressPool {
  readonly #cidr: Cidr;
  readonly #random: Random;
  readonly #taken = new Set<number>();

  constructor(cidr: Cidr, random: Random) {
    this.#cidr = cidr;
    this.#random = random;
  }

  get free(): number {
    return sizeOf(this.#cidr) - reserved - this.#taken.size;
  }

  /** @returns `undefined` when the subnet is full */
  take(): string | undefined {
    if (this.free === 0) return undefined;
    const usable = sizeOf(this.#cidr) - reserved;
    let offset = this.#random.integer(usable);
    while (this.#taken.has(offset)) offset = (offset + 1) % usable;
    this.#taken.add(offset);
    return addressText(this.#cidr.base + reservedFirst + offset);
  }

  release(address: string): void {
    this.#taken.delete(addressNumber(address) - this.#cidr.base - reservedFirst);
  }
}
