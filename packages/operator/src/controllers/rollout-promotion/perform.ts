import type { Instant } from '@nodewright/apis';
import type { EvidenceRecord } from '@nodewright/engine';
import type { UpstreamState } from '../../state/upstream-records.ts';
import type { PublicationSnapshot } from './observe.ts';
import { type PlaceDeps, writeRecordPlace } from './places.ts';
import type { PublicationPlan } from './plan.ts';
import { printPlace } from './record-place.ts';

/** What is shown of a publication, and when the record is looked at again. */
export type Published = Pick<UpstreamState, 'announced' | 'publication'> & { readonly nextAt?: Instant };

/** Stores a record that is due. */
export async function performPublication(
  deps: PlaceDeps,
  { clusterName, place }: PublicationSnapshot,
  plan: PublicationPlan,
  signal: AbortSignal,
): Promise<Published> {
  const at = printPlace(place);
  const failed = (because: string): Published => ({ publication: { kind: 'failed', place: at, because } });
  const published = (record: EvidenceRecord | undefined, nextAt: Instant): Published => ({
    announced: { cluster: clusterName, ...(record?.running === undefined ? {} : { running: record.running }) },
    publication: { kind: 'published', place: at },
    nextAt,
  });
  switch (plan.kind) {
    case 'fail':
      return failed(plan.because);
    case 'keep':
      return published(plan.record, plan.nextAt);
    case 'publish': {
      const { text, before, record, nextAt } = plan;
      const outcome = await writeRecordPlace(deps, place, { text, before, signal });
      return outcome.kind === 'failed' ? failed(outcome.message) : published(record, nextAt);
    }
  }
}
