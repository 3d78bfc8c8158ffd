/** Why changes cannot be kept at the moment. */
export type StorageProblem = {
  /** `full`: free space ends it. `failed`: the disk refuses writes for another reason. */
  readonly kind: 'full' | 'failed';
  /** What happened, to which file, and what to do: whole sentences for a person. */
  readonly message: string;
  /** Whether everything in memory is kept. If not, even reads would show what a restart does not. */
  readonly isReadable: boolean;
};

/** A change was refused because it could not be kept. Nothing of it is in memory. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}
