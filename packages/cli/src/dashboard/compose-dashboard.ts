import type { Instant } from '@nodewright/apis';
import { type ImageReport, listUnreadParts, viewDashboard } from '@nodewright/dashboard';
import { awsSources, type Dashboard } from '@nodewright/dashboard/rows';
import type { ClusterReading } from '@nodewright/operator';
import { type AwsSilence, describeSilence } from './aws-silence.ts';
import type { ImageReadings } from './image-readings.ts';

/** A cluster as it was read last, with everything that explanations need. */
export type FeedReading = { readonly reading: ClusterReading; readonly reports: readonly ImageReport[] };

/** What stands between a reading and the whole cluster. */
export type LackOfReading = {
  /** Kinds that may not be read, and what AWS does not tell: what rests on them is not true. */
  readonly unread: ReadonlySet<string>;
  /** What AWS does not tell, why, and what to do about it; absent while it answers. */
  readonly untold?: string;
};

export type ComposedDashboard = {
  readonly dashboard: Dashboard;
  readonly last: FeedReading;
  readonly lacks: LackOfReading;
};

type ComposingSources = {
  readonly images: Pick<ImageReadings, 'report'>;
  /** Kinds that may not be read. */
  readonly forbidden: ReadonlySet<string>;
  readonly now: Instant;
};

/** What is shown of a cluster that has been read, and of the images of its NodeClasses. */
export async function composeDashboard(
  reading: ClusterReading,
  { images, forbidden, now }: ComposingSources,
  signal: AbortSignal,
): Promise<ComposedDashboard> {
  const { reports, failure } =
    listUnreadParts(forbidden).images === undefined ? await images.report(reading, now, signal) : { reports: [] };
  const silence = findSilence(reading, failure);
  const untold = describeSilence(silence);
  return {
    dashboard: viewDashboard({ reading, reports, now }),
    last: { reading, reports },
    lacks: {
      unread: new Set([...forbidden, ...silence.keys()]),
      ...(untold === undefined ? {} : { untold }),
    },
  };
}

/** One NodePool whose types are not told is enough: what could be launched, and what that would save, is not known then. */
function findSilence({ unsuppliedPools }: ClusterReading, failure: string | undefined): AwsSilence {
  const [types] = unsuppliedPools.values();
  return new Map([
    ...(types === undefined ? [] : [[awsSources.types, types] as const]),
    ...(failure === undefined ? [] : [[awsSources.images, failure] as const]),
  ]);
}
