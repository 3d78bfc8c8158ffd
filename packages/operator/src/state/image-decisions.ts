import type { ImageRule, Instant, NodeSelectorRequirement, StatusAmi, VcpuRoom } from '@nodewright/apis';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

type Withheld = readonly (readonly NodeSelectorRequirement[])[];

/** What is known of the images, subnets and limits of an EC2NodeClass beside its status. */
export type DecisionRecord = {
  /** What was held back for its age alone. */
  readonly withheld: Withheld;
  /** What may be launched, whatever a rollout makes of it. */
  readonly wanted: readonly StatusAmi[];
  /** The ImageRules that it was decided with, as `nameImageRules` names them. */
  readonly rules: readonly string[];
  /** The control plane's minor that it was decided for. */
  readonly kubernetesVersion: string;
  /** Images of the rollout that EC2 does not have any more. */
  readonly gone: readonly string[];
  /** Images of the rollout that the moving parameter of their family has left for an older release. */
  readonly withdrawn: readonly string[];
  /** Addresses that its subnets have left, where they are few or none. */
  readonly freeAddresses?: number;
  /** Limits on vCPUs that its nodes count against, where not all of them could be replaced at once. */
  readonly quotas?: readonly VcpuRoom[];
};

/** Names ImageRules with their generations: equal for equal rules. */
export const nameImageRules = (rules: readonly ImageRule[]): readonly string[] =>
  rules.map(({ metadata }) => `${metadata.name} ${metadata.uid ?? ''} ${metadata.generation ?? 0}`).toSorted();

/**
 * The last image decision of each EC2NodeClass. It lives in memory: after a restart nothing is known until the decision
 * has been made again, and drift and rollouts wait for that.
 */
export class ImageDecisions {
  readonly #records = new Map<string, DecisionRecord>();
  readonly #handlers: ((nodeClass: string) => void)[] = [];
  readonly #recordHandlers: ((nodeClass: string) => void)[] = [];
  readonly #lookedAt = new Map<string, Instant>();
  readonly #lookHandlers: ((nodeClass: string) => void)[] = [];

  record(nodeClass: string, record: DecisionRecord): void {
    const before = this.#records.get(nodeClass);
    if (isEqualDiffValue(before, record)) return;
    this.#records.set(nodeClass, record);
    for (const handler of this.#recordHandlers) handler(nodeClass);
    if (before !== undefined && isEqualDiffValue(before.withheld, record.withheld)) return;
    for (const handler of this.#handlers) handler(nodeClass);
  }

  /** Notes that images were looked for as closely as a launch needs it, whether or not they were found. */
  looked(nodeClass: string, now: Instant): void {
    this.#lookedAt.set(nodeClass, now);
    for (const handler of this.#lookHandlers) handler(nodeClass);
  }

  /** Called with the name of an EC2NodeClass whenever its images have been looked for closely. */
  onLook(handler: (nodeClass: string) => void): void {
    this.#lookHandlers.push(handler);
  }

  /** When images were last looked for as closely as a launch needs it. */
  lookedAt(nodeClass: string): Instant | undefined {
    return this.#lookedAt.get(nodeClass);
  }

  /** Called with the name of an EC2NodeClass when its first decision is made, and when another holds back something else. */
  onChange(handler: (nodeClass: string) => void): void {
    this.#handlers.push(handler);
  }

  /** Called with the name of an EC2NodeClass whenever its decision is another one. */
  onRecord(handler: (nodeClass: string) => void): void {
    this.#recordHandlers.push(handler);
  }

  recordOf(nodeClass: string): DecisionRecord | undefined {
    return this.#records.get(nodeClass);
  }

  withheldBy(nodeClass: string): Withheld | undefined {
    return this.#records.get(nodeClass)?.withheld;
  }
}
