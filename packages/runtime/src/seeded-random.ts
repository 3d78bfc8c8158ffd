import type { Random } from './random.ts';

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const hexDigits = '0123456789abcdef';

/** Chance that depends on `seed` alone. */
export const seededRandom = (seed: number | string): Random => new SeededRandom(String(seed));

class SeededRandom implements Random {
  readonly #seed: string;
  readonly #bits: () => number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#bits = smallFastCounter(seed);
  }

  next(): number {
    const high = this.#bits() >>> 5;
    const low = this.#bits() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  integer(below: number): number {
    if (!(below >= 1)) throw new Error(`an integer below ${below} does not exist; the bound is at least 1`);
    return Math.floor(this.next() * below);
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing can be picked from an empty list');
    return from[this.integer(from.length)] as T;
  }

  /** The digits that `integer(16)` would draw: the highest bits of each number. Every object has a UID of them. */
  hex(length: number): string {
    let text = '';
    while (text.length < length) {
      text += hexDigits[this.#bits() >>> 28];
      this.#bits();
    }
    return text;
  }

  uuid(): string {
    const variant = (8 + this.integer(4)).toString(16);
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }

  nameSuffix(length: number): string {
    return this.#text(nameAlphabet, length);
  }

  fork(name: string): Random {
    return new SeededRandom(`${this.#seed}/${name}`);
  }

  #text(alphabet: string, length: number): string {
    let text = '';
    while (text.length < length) text += alphabet[this.integer(alphabet.length)];
    return text;
  }
}

/** Chris Doty-Humphrey's sfc32 (PractRand, public domain): 32 fresh bits per call. */
function smallFastCounter(seed: string): () => number {
  let [a, b, c, counter] = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1];
  const bits = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) bits();
  return bits;
}

/** FNV-1a over UTF-16 units, finished as in MurmurHash3. */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
