import { fromTimestamp, type Instant, type NodeClaim, type Pod, seconds } from '@nodewright/apis';
import { launchRecordOf } from './launch-record.ts';

/** A launch that takes longer holds up nobody but the pods that it is for. */
const launchWaitMs = seconds(30);

const noPromisedPods: ReadonlySet<string> = new Set();

/**
 * Claims that have no instance yet: a launch is under way whose size nobody knows. Others wait for it a while, so that
 * they can use what it leaves. For which pods a claim was made is known to the process that made it, and stands on claims
 * of provisioning rounds; after a restart everybody waits for other claims of before.
 */
export class Launches {
  readonly #claims: () => readonly NodeClaim[];
  /** Uids of the pods that each claim was made for, by its name. */
  readonly #podsFor = new Map<string, readonly string[]>();

  /** @param claims all claims of ours as they are now */
  constructor(claims: () => readonly NodeClaim[]) {
    this.#claims = claims;
  }

  get underWay(): readonly NodeClaim[] {
    return this.#claims().filter(({ status }) => (status?.providerID ?? '') === '');
  }

  /** Notes whom a new claim is for. */
  promise({ metadata }: NodeClaim, pods: readonly Pod[]): void {
    this.#podsFor.set(
      metadata.name,
      pods.flatMap((pod) => pod.metadata.uid ?? []),
    );
  }

  /** Those that others no longer wait for. */
  late(now: Instant): readonly NodeClaim[] {
    return this.underWay.filter((claim) => this.#isLate(claim, now));
  }

  /** Whether there is a launch that everybody has to wait for. */
  isAwaited(now: Instant): boolean {
    return this.underWay.some((claim) => !this.#isLate(claim, now));
  }

  /** Uids of the pods that a late launch is for: they wait for it until it is given up. */
  promisedBy(late: readonly NodeClaim[]): ReadonlySet<string> {
    this.#forgetOthers();
    if (late.length === 0) return noPromisedPods;
    return new Set(late.flatMap((claim) => this.#podsFor.get(claim.metadata.name) ?? recordedPods(claim) ?? []));
  }

  #isLate(claim: NodeClaim, now: Instant): boolean {
    const { name, creationTimestamp } = claim.metadata;
    if (creationTimestamp === undefined) return false;
    if (!this.#podsFor.has(name) && recordedPods(claim) === undefined) return false;
    return now - fromTimestamp(creationTimestamp) > launchWaitMs;
  }

  #forgetOthers(): void {
    const names = new Set(this.underWay.map(({ metadata }) => metadata.name));
    for (const name of this.#podsFor.keys()) if (!names.has(name)) this.#podsFor.delete(name);
  }
}

function recordedPods(claim: NodeClaim): readonly string[] | undefined {
  const record = launchRecordOf(claim);
  return record === undefined ? undefined : [...record.classes.values()].flat();
}
