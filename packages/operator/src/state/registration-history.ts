import { conditionOf, type NodePool } from '@nodewright/apis';

export type RegistrationHealth = 'unknown' | 'healthy' | 'unhealthy';

type RegistrationOutcome = { readonly claim: string; readonly registered: boolean };

const mostRememberedOutcomes = 4;
const failuresOfUnhealthy = 2;

/**
 * How the last four launches of each NodePool ended: two that never became nodes make it unhealthy.
 *
 * The list lives in memory. After a restart it begins with what the pool's condition says: one success
 * for a healthy pool, two failures for an unhealthy one.
 */
export class RegistrationHistory {
  readonly #outcomes = new Map<string, readonly RegistrationOutcome[]>();

  /** How healthy the pool is once `claim` has ended so; the end of the same claim counts once. */
  record(pool: NodePool, claim: string, registered: boolean): RegistrationHealth {
    const others = this.#of(pool).filter((outcome) => outcome.claim !== claim);
    const outcomes = [...others, { claim, registered }].slice(-mostRememberedOutcomes);
    this.#outcomes.set(poolKeyOf(pool), outcomes);
    return registrationHealthOf(outcomes);
  }

  /** What happened under an older spec says nothing about the new one. */
  forget(pool: NodePool): void {
    this.#outcomes.set(poolKeyOf(pool), []);
  }

  /** The pool is gone. */
  drop(pool: NodePool): void {
    this.#outcomes.delete(poolKeyOf(pool));
  }

  #of(pool: NodePool): readonly RegistrationOutcome[] {
    return this.#outcomes.get(poolKeyOf(pool)) ?? recordedOutcomes(pool);
  }
}

function recordedOutcomes(pool: NodePool): readonly RegistrationOutcome[] {
  const status = conditionOf(pool, 'NodeRegistrationHealthy')?.status;
  if (status === 'True') return [{ claim: '', registered: true }];
  return status === 'False' ? [1, 2].map((nth) => ({ claim: `before-${nth}`, registered: false })) : [];
}

function registrationHealthOf(outcomes: readonly RegistrationOutcome[]): RegistrationHealth {
  if (outcomes.length === 0) return 'unknown';
  return outcomes.filter(({ registered }) => !registered).length >= failuresOfUnhealthy ? 'unhealthy' : 'healthy';
}

const poolKeyOf = ({ metadata }: NodePool): string => metadata.uid ?? metadata.name;
