import { fromTimestamp, seconds, type Instant, type NodeClaim } from '@nodewright/apis';
import { launchRecordOf } from './launch-record.ts';

/** A launch that takes longer holds up only the pods that it is for. */
const launchWaitMs = seconds(30);

/**
 * Claims that have no instance yet: a launch is under way, and the size of the node is not known. Rounds wait for it for a
 * while, so that they can use what it leaves. A claim of a provisioning round says for which pods it was created; after a
 * while the other pods no longer wait for it. They wait without limit for a claim that does not say so: one that replaces a
 * node, or one that another program created.
 */
export class Launches {
  readonly #underWay: () => readonly NodeClaim[];
  /** Names of claims that no pod waits for. */
  readonly #withoutPods = new Set<string>();

  /** @param underWay the claims of ours that have no instance now */
  constructor(underWay: () => readonly NodeClaim[]) {
    this.#underWay = underWay;
  }

  get underWay(): readonly NodeClaim[] {
    return this.#underWay();
  }

  /** Notes that a new claim is for no pod in particular. */
  noteWithoutPods({ metadata }: NodeClaim): void {
    this.#forgetOthers();
    this.#withoutPods.add(metadata.name);
  }

  /** Those that only their own pods still wait for. */
  late(now: Instant): readonly NodeClaim[] {
    return this.underWay.filter((claim) => this.#isLate(claim, now));
  }

  /** Whether there is a launch that every pod has to wait for. */
  isAwaited(now: Instant): boolean {
    return this.underWay.some((claim) => !this.#isLate(claim, now));
  }

  #isLate(claim: NodeClaim, now: Instant): boolean {
    const { name, creationTimestamp } = claim.metadata;
    if (creationTimestamp === undefined) return false;
    if (!this.#withoutPods.has(name) && launchRecordOf(claim) === undefined) return false;
    return now - fromTimestamp(creationTimestamp) > launchWaitMs;
  }

  #forgetOthers(): void {
    const names = new Set(this.underWay.map(({ metadata }) => metadata.name));
    for (const name of this.#withoutPods) if (!names.has(name)) this.#withoutPods.delete(name);
  }
}
