import type { Instant, NodeSelectorRequirement } from '@nodewright/apis';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

type Withheld = readonly (readonly NodeSelectorRequirement[])[];

/**
 * What the last image decision of each EC2NodeClass held back for its age alone. It lives in memory:
 * after a restart nothing is known until the decision has been made again, and drift waits for that.
 */
export class ImageDecisions {
  readonly #withheld = new Map<string, Withheld>();
  readonly #handlers: ((nodeClass: string) => void)[] = [];
  readonly #lookedAt = new Map<string, Instant>();
  readonly #lookHandlers: ((nodeClass: string) => void)[] = [];

  record(nodeClass: string, withheld: Withheld): void {
    const before = this.#withheld.get(nodeClass);
    this.#withheld.set(nodeClass, withheld);
    if (isEqualDiffValue(before, withheld)) return;
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

  withheldBy(nodeClass: string): Withheld | undefined {
    return this.#withheld.get(nodeClass);
  }
}
