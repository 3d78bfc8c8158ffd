import type { Random } from '@nodewright/runtime';
import { addressNumber, formatAddress, countAddresses, type Cidr } from './cidr.ts';

/** AWS keeps the first four addresses of a subnet and the last one. */
const reservedFirstAddresses = 4;
const reservedAddresses = reservedFirstAddresses + 1;

/** The addresses of one subnet. */
export class AddressPool {
  readonly #cidr: Cidr;
  readonly #random: Random;
  readonly #takenByOthers: number;
  readonly #taken = new Set<number>();

  /** @param takenByOthers how many addresses are never free [0] */
  constructor(cidr: Cidr, random: Random, takenByOthers = 0) {
    this.#cidr = cidr;
    this.#random = random;
    this.#takenByOthers = takenByOthers;
  }

  get free(): number {
    return Math.max(0, countAddresses(this.#cidr) - reservedAddresses - this.#takenByOthers - this.#taken.size);
  }

  isTaken(address: string): boolean {
    return this.#taken.has(this.#offsetOf(address));
  }

  /** Whether an address of the subnet is one that AWS keeps for itself. */
  isReserved(address: string): boolean {
    const offset = this.#offsetOf(address);
    return offset < 0 || offset >= countAddresses(this.#cidr) - reservedAddresses;
  }

  /**
   * @param wanted an address that an instance has already
   * @returns `undefined` when the subnet is full
   */
  take(wanted?: string): string | undefined {
    if (wanted !== undefined) {
      this.#taken.add(this.#offsetOf(wanted));
      return wanted;
    }
    if (this.free === 0) return undefined;
    const usable = countAddresses(this.#cidr) - reservedAddresses;
    let offset = this.#random.integer(usable);
    while (this.#taken.has(offset)) offset = (offset + 1) % usable;
    this.#taken.add(offset);
    return formatAddress(this.#cidr.base + reservedFirstAddresses + offset);
  }

  release(address: string): void {
    this.#taken.delete(this.#offsetOf(address));
  }

  #offsetOf(address: string): number {
    return addressNumber(address) - this.#cidr.base - reservedFirstAddresses;
  }
}
