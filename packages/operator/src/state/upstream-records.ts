import type { AnnouncedWave, EvidenceRecord, Publication, UpstreamReading } from '@nodewright/engine';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

/** What was read of other clusters for a policy, and what was published of it. */
export type UpstreamState = {
  readonly readings: readonly UpstreamReading[];
  readonly announced?: AnnouncedWave;
  readonly publication?: Publication;
};

/**
 * Records of other clusters, by policy. They are read anew after a restart: until then nothing is known, and a policy that
 * requires some plans nothing.
 */
export class UpstreamRecords {
  readonly #states = new Map<string, UpstreamState>();
  readonly #handlers: ((policy: string) => void)[] = [];

  /** Called when what is known for a policy is another, beyond the time of reading. */
  onChange(handler: (policy: string) => void): void {
    this.#handlers.push(handler);
  }

  stateOf(policy: string): UpstreamState | undefined {
    return this.#states.get(policy);
  }

  /** What was read last of the place of a requirement, whole. */
  lastRecord(policy: string, requirement: number): EvidenceRecord | undefined {
    const reading = this.#states.get(policy)?.readings.find((each) => each.requirement === requirement);
    return reading?.kind === 'read' ? reading.record : reading?.last;
  }

  set(policy: string, state: UpstreamState): void {
    const before = this.#states.get(policy);
    this.#states.set(policy, state);
    if (before === undefined || !isEqualDiffValue(newsOfUpstream(before), newsOfUpstream(state)))
      for (const handler of this.#handlers) handler(policy);
  }

  forget(policy: string): void {
    this.#states.delete(policy);
  }
}

const newsOfUpstream = ({ readings, announced, publication }: UpstreamState) => ({
  readings: readings.map(({ readAt: _readAt, ...reading }) => reading),
  announced,
  publication,
});
