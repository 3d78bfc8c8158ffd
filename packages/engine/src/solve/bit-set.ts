/** A set of small whole numbers, thirty-two to a word. Bits beyond the last word are not in it. */
export type BitSet = Uint32Array;

export const bitSet = (size: number): BitSet => new Uint32Array((size + 31) >>> 5);

/** All numbers below `size`. */
export function fullBitSet(size: number): BitSet {
  const set = bitSet(size).fill(0xffffffff);
  if ((size & 31) !== 0) set[set.length - 1] = 2 ** (size & 31) - 1;
  return set;
}

export const hasBit = (set: BitSet, bit: number): boolean => (((set[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;

export function addBit(set: BitSet, bit: number): void {
  set[bit >>> 5] = (set[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

export function removeBit(set: BitSet, bit: number): void {
  set[bit >>> 5] = (set[bit >>> 5] ?? 0) & ~(1 << (bit & 31));
}

/** Keeps in `set` what is in `other` too. */
export function keepCommon(set: BitSet, other: BitSet): void {
  for (let i = 0; i < set.length; i++) set[i] = (set[i] ?? 0) & (other[i] ?? 0);
}

/** Takes out of `set` what is in `other`. */
export function dropCommon(set: BitSet, other: BitSet): void {
  for (let i = 0; i < set.length; i++) set[i] = (set[i] ?? 0) & ~(other[i] ?? 0);
}

/** Whether `set` holds every member of `other`. */
export function containsAll(set: BitSet, other: BitSet): boolean {
  for (let i = 0; i < other.length; i++) if (((other[i] ?? 0) & ~(set[i] ?? 0)) !== 0) return false;
  return true;
}

export function isEmptySet(set: BitSet): boolean {
  for (let i = 0; i < set.length; i++) if (set[i] !== 0) return false;
  return true;
}

/** A text that is equal for equal sets of the same size only: two characters for each word. */
export const textOfSet = (set: BitSet): string =>
  String.fromCharCode(...new Uint16Array(set.buffer, set.byteOffset, set.length * 2));

/** Its members in rising order. */
export function bitsOf(set: BitSet): number[] {
  const bits: number[] = [];
  for (let i = 0; i < set.length; i++) {
    for (let word = set[i] ?? 0; word !== 0; word &= word - 1) bits.push(i * 32 + lowestBit(word));
  }
  return bits;
}

/** The position of the lowest bit of a word that is not zero. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** The set with room for `size` bits: the same object when it has that room. */
export function withRoomFor(set: BitSet, size: number): BitSet {
  const words = (size + 31) >>> 5;
  if (words <= set.length) return set;
  const larger = new Uint32Array(Math.max(words, set.length * 2));
  larger.set(set);
  return larger;
}

/** The set with a bit added: the same object when it has room for the bit. */
export function withBit(set: BitSet, bit: number): BitSet {
  const roomy = withRoomFor(set, bit + 1);
  addBit(roomy, bit);
  return roomy;
}
