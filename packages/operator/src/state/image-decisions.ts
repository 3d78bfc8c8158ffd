import type { NodeSelectorRequirement } from '@nodewright/apis';

type Withheld = readonly (readonly NodeSelectorRequirement[])[];

/**
 * What the last image decision of each EC2NodeClass held back for its age alone. It lives in memory:
 * after a restart nothing is known until the decision has been made again, and drift waits for that.
 */
export class ImageDecisions {
  readonly #withheld = new Map<string, Withheld>();

  record(nodeClass: string, withheld: Withheld): void {
    this.#withheld.set(nodeClass, withheld);
  }

  withheldBy(nodeClass: string): Withheld | undefined {
    return this.#withheld.get(nodeClass);
  }
}
