import type { Instant } from '@nodewright/apis';

/** A release that the spec of a source names, so that no newer one takes its place. */
export type SourcePin = {
  /** `EC2NodeClass/NAME` or `NodeGroup/NAME`. */
  readonly source: string;
  readonly release: string;
  readonly releasedAt: Instant;
};
