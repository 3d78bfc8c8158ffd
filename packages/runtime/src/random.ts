/** Seeded chance. The same seed gives the same sequence on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, below). */
  integer(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** Lower-case hexadecimal text of `length` digits. */
  hex(length: number): string;
  /** A version 4 UUID. */
  uuid(): string;
  /** `length` characters of the alphabet that Kubernetes uses for generated names (`bcdfghjklmnpqrstvwxz2456789`). */
  nameSuffix(length: number): string;
  /** An independent source, derived from this seed and `name`; asking does not move this one. */
  fork(name: string): Random;
}
