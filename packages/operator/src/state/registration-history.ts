import { conditionOf, type NodePool } from '@nodewright/apis';

export type RegistrationHealth = 'unknown' | 'healthy' | 'unhealthy';

type Outcome = { readonly claim: string; readonly registered: boolean };

const remembered = 4;
const failuresOfUnhealthy = 2;

/**
 * How the last four launches of each NodePool ended: two that never became nodes make it unhealthy.
 *
 * The list lives in memory. After a restart it begins with what the pool's condition says: one success
 * for a healthy pool, two failures for an unhealthy one.
 */
export class RegistrationHistory {
  readonly #outcomes = new Map<string, readonly Outcome[]>();

  /** How healthy the pool is once `claim` has ended so; the end of the same claim counts once. */
  record(pool: NodePool, claim: string, registered: boolean): RegistrationHealth {
    const others = this.#of(pool).filter((outcome) => outcome.claim !== claim);
    const outcomes = [...others, { claim, registered }].slice(-remembered);
    this.#outcomes.set(keyOf(pool), outcomes);
    return healthOf(outcomes);
  }

  /** What happened under an older spec says nothing about the new one. */
  forget(pool: NodePool): void {
    this.#outcomes.set(keyOf(pool), []);
  }

  /** The pool is gone. */
  drop(pool: NodePool): void {
    this.#outcomes.delete(keyOf(pool));
  }

  #of(pool: NodePool): readonly Outcome[] {
    return this.#outcomes.get(keyOf(pool)) ?? begun(pool);
  }
}

function begun(pool: NodePool): readonly Outcome[] {
  const status = conditionOf(pool, 'NodeRegistrationHealthy')?.status;
  if (status === 'True') return [{ claim: '', registered: true }];
  return status === 'False' ? [1, 2].map((nth) => ({ claim: `before-${nth}`, registered: false })) : [];
}

function healthOf(outcomes: readonly Outcome[]): RegistrationHealth {
  if (outcomes.length === 0) return 'unknown';
  return outcomes.filter(({ registered }) => !registered).length >= failuresOfUnhealthy ? 'unhealthy' : 'healthy';
}

const keyOf = ({ metadata }: NodePool): string => metadata.uid ?? metadata.name;
